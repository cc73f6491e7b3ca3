// What the page shows, as one value that stands in the address, so that a link
// can be sent: the run, the chosen call path (by its number, never its name),
// the chosen one of its keys (likewise), the chosen line of source (its file, by
// number, and its own number), the tab, the search, the part of the run that was chosen on its curve, the range
// of the timeline.

const defaults = {run: 0, node: null, tab: 'tree', filter: '', search: '', metric: 'time',
                  order: '', key: null, line: null, measure: '', keys: '', part: null, range: null};
// Of the icicle: top down, by own time with the callers below, and around a name.
const icicleOrders = ['', 'inverted', 'around'];
const state = Object.assign({}, defaults);
const watchers = [];

// WATCHER is called with the set of keys that changed.
function watchState(watcher) {
  watchers.push(watcher);
}

function addressOf(of) {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(of))
    if (key in defaults && JSON.stringify(value) !== JSON.stringify(defaults[key]))
      words.set(key, Array.isArray(value) ? value.join('-') : value === true ? '1' : value);
  return '#' + words.toString();
}

// A number of the address that is an index of COUNT things; else null.
function indexOf(text, count) {
  return /^\d+$/.test(text || '') && Number(text) < count ? Number(text) : null;
}

// The whole nanoseconds around RANGE, as which the state has it.
const wholeRange = range => range && [Math.floor(range[0]), Math.ceil(range[1])];

// A range of the address, which may have fractions; null without.
function rangeIn(text) {
  const [, from, to] = (/^(\d+(?:\.\d*)?)-(\d+(?:\.\d*)?)$/.exec(text || '') || []).map(Number);
  return from < to ? wholeRange([from, to]) : null;
}

// A line of RUN's source in the address; null without.
function lineIn(text, run) {
  const line = /^(\d+)-(\d+)$/.exec(text || '');
  const files = data.runs[run].sources ? data.runs[run].sources.files.length : 0;
  return line && Number(line[1]) < files ? [Number(line[1]), Number(line[2])] : null;
}

// What the address says; what it says wrongly counts as not said.
function stateOf(address) {
  const words = new URLSearchParams(address.replace(/^#/, ''));
  const run = indexOf(words.get('run'), data.runs.length) || 0;
  const {nodes, families} = data.runs[run].tree;
  const node = indexOf(words.get('node'), nodes.length);
  const family = families.find(each => each.node === node);
  return {
    run, node, line: lineIn(words.get('line'), run), key: indexOf(words.get('key'), family ? family.keys.length : 0), measure: words.get('measure') || '',
    keys: words.get('keys') === 'time' ? 'time' : '',
    tab: words.get('tab') || defaults.tab, filter: words.get('filter') || '',
    search: words.get('search') || '', metric: words.get('metric') || defaults.metric,
    order: icicleOrders.includes(words.get('order')) ? words.get('order') : '',
    part: rangeIn(words.get('part')), range: rangeIn(words.get('range'))};
}

function takeState(next) {
  const changed = new Set(Object.keys(defaults).filter(
      key => JSON.stringify(next[key]) !== JSON.stringify(state[key])));
  Object.assign(state, next);
  if (changed.size)
    for (const watcher of watchers)
      watcher(changed);
}

// Changes the state. QUIETLY: going back in the browser doesn't undo it.
function go(patch, quietly = false) {
  const next = Object.assign({}, state, patch);
  if ('run' in patch && patch.run !== state.run)
    Object.assign(next, {node: null, key: null, line: null, part: null, range: null, filter: ''}, patch);
  if (next.node !== state.node && !('key' in patch))
    next.key = null; // it was another phase's
  if ('node' in patch && !('line' in patch))
    next.line = null;
  next.part = wholeRange(next.part);
  next.range = wholeRange(next.range);
  const address = addressOf(next);
  if (address !== addressOf(state)) {
    const place = location.href.split('#')[0] + address;
    if (quietly)
      location.replace(place);
    else
      location.href = place;
  }
  takeState(next);
}

// A link to the state with PATCH; SHOW is called when it was followed here.
function linkTo(patch, text, className, show) {
  const link = make('a', className, text);
  link.href = addressOf(Object.assign({}, defaults, {run: state.run}, patch));
  link.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    go(patch);
    if (show)
      show();
  });
  return link;
}

window.addEventListener('hashchange', () => takeState(stateOf(location.hash)));
