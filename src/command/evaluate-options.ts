/** `drumline evaluate` as the help shows it, apart from its code, which other commands do without. */
import type { Command, OwnOption } from './command.js';

export const EVALUATE_OPTIONS: Readonly<Record<string, OwnOption>> = {
  out: { takes: 'DIR', help: 'where results and report go; goes on with what is there', shown: 'evaluation' },
  quick: { takes: '', help: 'under 10 minutes on two cores', shown: 'off' },
  figures: { takes: 'LIST', help: 'some of 7,8,9,10,11,12', shown: 'all' },
  repeat: { takes: 'N', help: 'how often each kind of crawl runs', shown: '3' },
  web: { takes: 'SPEC', help: 'what is crawled: synthetic[:key=value,...], disk:DIR', shown: 'synthetic' },
  memory: { takes: 'SIZE', help: 'of each crawl', shown: '1GB' },
  'max-duration': { takes: 'TIME', help: 'for all crawls together, about', shown: '8h' },
  progress: { takes: 'HOW', help: 'bar, plain, none', shown: 'bar on a terminal, else plain' },
  model: {
    takes: 'paper|DIR',
    help: "no crawls: ask the paper's cost model, or a finished evaluation's",
    shown: '',
  },
  pages: { takes: 'N', help: 'for the model: pages to crawl', shown: '30e9' },
  agents: { takes: 'N', help: 'for the model: how many', shown: 'the best number' },
  'total-bandwidth': {
    takes: 'RATE',
    help: 'for the model: what all agents share',
    shown: 'as much as they can use',
  },
};

export const EVALUATE: Command = {
  name: 'evaluate',
  forms: [
    ['evaluate [--quick] [--out DIR]', "the papers' experiments on this box"],
    ['evaluate --model paper --pages 30e9', "ask the papers' cost model"],
  ],
  about:
    "Repeats the papers' measurements as whole crawls of an emulated web, each several times, fits their cost model to what it measured, and draws both beside the papers' numbers. Results are saved after each crawl: the same command goes on where it was interrupted.",
  crawlOptions: [],
  ownOptions: EVALUATE_OPTIONS,
  examples: [
    [
      'evaluate --quick --out evaluation',
      'all figures in under 10 minutes on two cores, in evaluation/report.html',
    ],
    [
      'evaluate --model paper --pages 30e9 --agents 31',
      "how long 31 agents take for 30 billion pages, by the paper's model",
    ],
  ],
  run: async (words, given) => (await import('./evaluate.js')).evaluateCommand(words, given),
};
