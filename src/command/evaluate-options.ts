/** The options of `drumline evaluate`, apart from its code, which other commands do without. */
import type { Option } from '../model/option.js';

/** The options of this command alone. */
export const EVALUATE_OPTIONS: Readonly<Record<string, Pick<Option<unknown>, 'takes' | 'help' | 'shown'>>> = {
  quick: { takes: '', help: 'under 10 minutes on two cores', shown: 'off' },
  figures: { takes: 'LIST', help: 'some of 7,8,9,10,11,12', shown: 'all' },
  repeat: { takes: 'N', help: 'how often each kind of crawl runs', shown: '3' },
  model: {
    takes: 'paper|DIR',
    help: "no crawls: ask the paper's cost model, or a finished evaluation's",
    shown: '',
  },
  pages: { takes: 'N', help: 'for the model: pages to crawl', shown: '30e9' },
  'total-bandwidth': {
    takes: 'RATE',
    help: 'for the model: what all agents share',
    shown: 'as much as they can use',
  },
};

/** Options of a crawl that it takes, too: those of each crawl, and `agents` for the model. */
export const SHARED_OPTIONS = ['out', 'web', 'memory', 'max-duration', 'progress', 'agents'];
