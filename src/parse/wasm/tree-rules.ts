/**
 * As much of the HTML standard's tree construction as decides whether a tag counts where it stands: inside `select`
 * most tags are ignored, and `frame` is one only in a `frameset`. Approximate where it takes the whole tree to be
 * exact: tables are counted, not matched.
 */
import { FRAME, FRAMESET, INPUT, KEYGEN, SCRIPT, SELECT, TABLE, TEMPLATE, TEXTAREA } from './elements';
import { foldedName, isOneOf, words } from './words';

/** In a table's `select`, these end it. */
const tableParts = words('caption table tbody tfoot thead tr td th');

let inSelect: bool = false;
let inFrameset: bool = false;
let tables = 0;
/** Open templates inside a `select`, in which all tags count until the last is closed. */
let templates = 0;

export function clearTree(): void {
  templates = 0;
  inSelect = false;
  inFrameset = false;
  tables = 0;
}

/** Outside, a tag whose name is not in elements.ts counts and changes nothing. */
export function isInSelect(): bool {
  return inSelect;
}

/** Whether a start tag counts, `element` being what its name [at, end) names. */
export function countsStart(element: i32, at: usize, end: usize): bool {
  if (inSelect && !countsInSelect(element, at, end)) return false;
  switch (element) {
    case SELECT:
      inSelect = true;
      break;
    case TABLE:
      tables++;
      break;
    case FRAMESET:
      inFrameset = true;
      break;
    case TEMPLATE:
      if (templates > 0) templates++;
      break;
    case FRAME:
      return inFrameset;
    default:
  }
  return true;
}

export function takeEnd(element: i32, at: usize, end: usize): void {
  if (inSelect && (element === SELECT || (tables > 0 && isTablePart(at, end)))) inSelect = false;
  if (!inSelect && element === TABLE && tables > 0) tables--;
  if (element === TEMPLATE && templates > 0) inSelect = --templates === 0;
}

function isTablePart(at: usize, end: usize): bool {
  return isOneOf(foldedName(at, end), end - at, tableParts);
}

function countsInSelect(element: i32, at: usize, end: usize): bool {
  switch (element) {
    case SCRIPT:
      return true;
    case SELECT:
      inSelect = false;
      return false;
    case TEMPLATE:
      inSelect = false;
      templates = 1;
      return false;
    case INPUT:
    case KEYGEN:
    case TEXTAREA:
      inSelect = false;
      return true;
    default:
  }
  if (tables === 0 || !isTablePart(at, end)) return false;
  inSelect = false;
  return true;
}
