// The keys of a phase as a strip in its row of the tree: a bar for each key, in
// their order; where there are many, for a range of neighbours, as high as the
// highest of them. A click on a bar chooses its key.

const stripSize = {cell: 10, height: 20}; // in the drawing's own units

const keyName = (node, index) => node.name + '[' + node.family.keys[index][0] + ']';
const measureWord = measure => measure.header.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase());
const measureOf = (family, key) => family.measures.find(measure => measure.key === key);

// "mean 3.10 ms, total 31.0 ms, 10 calls, 25% of block"
function keyFigures(node, index) {
  const {family} = node;
  return family.measures.map(measure => measureWord(measure) + ' ' + duration(measure.ns[index])).join(', ') + ', ' +
      counted(family.keys[index][1], 'call') + ', ' + percentOf(measureOf(family, 'total').ns[index], node.time) + ' of ' + node.name;
}

// What a pointer on a cell of the strip shows.
function stripCellText(node, [first, count, most]) {
  const figures = keyName(node, most) + ': ' + keyFigures(node, most);
  return count === 1 ? figures : keyName(node, first) + ' to ' + keyName(node, first + count - 1) + ', ' + counted(count, 'key') + '; the highest is ' + figures;
}

// What MEASURE says of NODE's keys, in words.
function keysText(node, measure) {
  const {family} = node;
  const known = measure.ns.map((ns, index) => ({ns, index})).filter(each => each.ns !== null).sort((a, b) => a.ns - b.ns);
  const text = node.name + ' by ' + family.label + ', ' + counted(family.keys.length, 'key') + '; ' + measureWord(measure);
  if (!known.length)
    return text + ' not known';
  const extreme = each => keyName(node, each.index) + ' ' + duration(each.ns);
  return text + ' from ' + extreme(known[0]) + ' to ' + extreme(known.at(-1)) + ', median ' + duration(measure.median) +
      (family.odd === null ? '' : '; ' + keyName(node, family.odd) + ' stands out');
}

// What the strips of TREE's phases show.
function stripNote(tree) {
  const families = tree.nodes.filter(node => node.family).map(node => node.family);
  const hasGpu = families.some(family => family.measures[0].key === 'gpu_mean');
  const hasMany = families.some(family => family.strip.length < family.keys.length);
  return 'Keys: a bar for each key of a phase' + (hasMany ? ', or for neighbours where there are many,' : ',') + ' as high as its ' + (hasMany ? 'highest ' : '') + 'mean ' + (hasGpu ? 'GPU time per call or, where the phase has none, ' : '') +
      'host time per call. A click shows the keys below.';
}

// Keys that the search names, of at most so many there are links.
const foundKeysAtMost = 8;

// Links to the keys of TREE that the search finds where it doesn't find their
// phase; none without a search.
function foundKeysView(tree) {
  const found = tree.nodes.filter(node => state.search && node.family && !isFound(node.name)).flatMap(
      node => node.family.keys.map((key, index) => [node, index]).filter(([, index]) => isFound(keyName(node, index))));
  const links = found.slice(0, foundKeysAtMost).flatMap(([node, index], place) => [
    place ? ', ' : '', linkTo({node: node.id, key: index, search: state.search}, keyName(node, index), '', showKeys)]);
  return !found.length ? [] : ['Keys: ', ...links, found.length > foundKeysAtMost ? ' and ' + grouped(found.length - foundKeysAtMost) + ' more.' : '.'];
}

const showKeys = () => reveal(document.getElementById('keys'));

// A link to the keys of NODE, which is a family.
function stripView(node) {
  const {family} = node;
  const {cell, height} = stripSize;
  const measure = family.measures[0];
  const most = Math.max(1, ...measure.ns);
  const svg = makeSvg('svg', {viewBox: '0 0 ' + family.strip.length * cell + ' ' + height, preserveAspectRatio: 'none', class: 'strip',
                              role: 'img', 'aria-label': keysText(node, measure)});
  svg.style.setProperty('--cells', family.strip.length);
  family.strip.forEach((each, index) => {
    const [first, count, at] = each;
    const isOdd = family.odd !== null && family.odd >= first && family.odd < first + count;
    const share = (measure.ns[at] || 0) / most, size = share ? Math.max(1, share * height) : 0;
    const item = makeSvg('g', {'data-key': isOdd ? family.odd : at, class: isOdd ? 'odd' : ''});
    item.append(makeSvg('title', {}, stripCellText(node, each)),
                makeSvg('rect', {class: 'ground', x: index * cell, y: 0, width: cell, height}),
                makeSvg('rect', {class: 'bar', x: index * cell + 0.5, y: height - size, width: cell - 1, height: size, opacity: (0.45 + 0.55 * share).toFixed(2)}));
    svg.append(item);
  });
  const link = make('a', 'strip-link', null, svg);
  link.href = addressOf(Object.assign({}, state, {node: node.id, key: null, range: null}));
  link.addEventListener('click', event => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    const item = event.target.closest('[data-key]');
    go({node: node.id, key: item ? Number(item.dataset.key) : null});
    showKeys();
  });
  return link;
}
