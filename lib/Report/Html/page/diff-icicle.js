// The call paths of both sides as one icicle: its width is the time per step, its
// colour the change of that, with a sign in the label. Drawn as an SVG.

const diffRow = 24, letterWidth = 7; // pixels

// Paths as objects, from the arrays that the data has them in.
function readPaths({tree}) {
  const paths = tree.paths.map(([name, parent, kind, before, after, larger, ...rest], id) => ({
    id, name, parent, kind, before, after, larger, spans: rest.slice(0, 2), basis: rest[2], children: [], depth: 0}));
  for (const path of paths) {
    if (path.parent === null)
      continue;
    path.parent = paths[path.parent];
    path.parent.children.push(path);
    path.depth = path.parent.depth + 1;
  }
  return paths;
}

const diffWidths = {after: path => path.after, before: path => path.before, larger: path => path.larger};

// The part of the way from the page's ground to the colour of a change.
function changeColour(path, most) {
  const kind = changeClass(path);
  if (path.parent === null || kind === 'unsure')
    return cssColour('--raised');
  const part = 0.15 + 0.85 * Math.min(1, Math.abs(path.after - path.before) / most);
  const channels = name => cssColour(name).match(/[\da-f]{2}/gi).map(each => parseInt(each, 16));
  const from = channels('--raised'), to = channels(kind === 'slower' ? '--slower' : '--faster');
  return '#' + from.map((each, index) => Math.round(each + (to[index] - each) * part).toString(16).padStart(2, '0')).join('');
}

// Black or white: what can be read on COLOUR.
function textOn(colour) {
  const [r, g, b] = colour.match(/[\da-f]{2}/gi).map(each => {
    const part = parseInt(each, 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff';
}

// As much of a name as fits, cut in the middle. Without room for both, a change
// goes first.
function diffLabel(path, width) {
  const letters = Math.floor((width - 8) / letterWidth);
  const change = signedTime(path.after - path.before);
  const name = path.kind === 'function' ? shortName(path.name) : path.name;
  const cut = room => name.length <= room ? name : room < 4 ? '' : name.slice(0, Math.ceil(room / 2) - 1) + '…' + name.slice(name.length - Math.floor(room / 2));
  const short = cut(letters - change.length - 1);
  return short ? short + ' ' + change : path.after === path.before ? cut(letters) : change.length <= letters ? change : '';
}

// A path in words.
function diffPathText(path) {
  const names = [];
  for (let at = path; at; at = at.parent)
    names.unshift(at.name);
  const basis = path.parent === null ? '' : basisText(path, data.comparison.step.steps ? 'step' : 'run');
  return names.join(' › ') + ': ' + duration(path.before) + ' before, ' + duration(path.after) + ' after, ' +
      signedTime(path.after - path.before) + (basis ? ', ' + basis : '');
}

function diffIcicleDrawing(box, view) {
  const width = Math.max(280, box.clientWidth), measure = diffWidths[view.width];
  const above = [];
  for (let at = view.top.parent; at; at = at.parent)
    above.unshift(at);
  const boxes = above.map((path, row) => ({value: [0, 1, row], node: path, name: path.name}))
      .concat(boxesBelow(view.top, above.length, {width: measure, below: path => path.children}, narrowestBox / width));
  const rows = 1 + boxes.reduce((most, each) => Math.max(most, each.value[2]), 0);
  box.style.height = rows * diffRow + 10 + 'px';
  const svg = makeSvg('svg', {viewBox: '0 0 ' + width + ' ' + (rows * diffRow + 8), class: 'diff-icicle', 'aria-hidden': 'true'});
  for (const {value: [start, end, row], node, name, group} of boxes) {
    const x = 4 + start * (width - 8), size = Math.max(0.5, (end - start) * (width - 8) - 1);
    const fill = group ? cssColour('--line') : changeColour(node, view.most);
    const item = makeSvg('g', {});
    item.append(makeSvg('rect', {x, y: 4 + row * diffRow, width: size, height: diffRow - 1, fill,
                                 class: !group && node === view.chosen ? 'chosen-path' : state.search && !isFound(name) ? 'quiet-path' : ''}));
    const label = group ? (size > letterWidth * name.length + 8 ? name : '') : diffLabel(node, size);
    if (label)
      item.append(makeSvg('text', {x: x + 4, y: 4 + row * diffRow + 16, fill: textOn(fill)}, label));
    item.append(makeSvg('title', {}, group ? name + ' below ' + node.name : diffPathText(node)));
    item.addEventListener('click', () => view.choose(node));
    svg.append(item);
  }
  box.replaceChildren(svg);
}

let diffDrawings = 0;

function diffIcicleView(comparison) {
  const paths = readPaths(comparison);
  if (paths.length < 2)
    return null;
  const status = make('p', 'hint diff-path');
  status.setAttribute('aria-live', 'polite');
  const view = {top: paths[0], chosen: paths[0], width: 'after',
                most: Math.max(...paths.slice(1).filter(isKnownChange).map(path => Math.abs(path.after - path.before)), 1)};
  const say = () => {
    status.textContent = diffPathText(view.chosen) + '.';
    enable(all, view.top !== paths[0]);
  };
  const box = drawingBox('Call paths of both sides as an icicle; the table Paths has the same figures', element => {
    diffIcicleDrawing(element, view);
    return {id: ++diffDrawings, resize: () => element.redraw(), dispose: () => {}};
  }, {
    ArrowDown: () => step(view.chosen.children[0]), ArrowUp: () => step(view.chosen.parent),
    ArrowLeft: () => step(beside(-1)), ArrowRight: () => step(beside(1)), Enter: () => view.choose(view.chosen),
    Escape: () => view.choose(paths[0])});
  box.classList.add('diff-chart');
  const beside = by => view.chosen.parent && view.chosen.parent.children[view.chosen.parent.children.indexOf(view.chosen) + by];
  // Moves to PATH, which stays in the drawing.
  const step = path => {
    if (!path)
      return;
    view.chosen = path;
    if (path.depth < view.top.depth || (path.depth === view.top.depth && path !== view.top))
      view.top = path;
    say();
    box.draw();
  };
  view.choose = path => {
    Object.assign(view, {top: path, chosen: path});
    say();
    box.draw();
  };
  const all = makeButton('Whole ' + (comparison.step.steps ? 'step' : 'run'), () => view.choose(paths[0]));
  const widths = makeSwitch('Width', [['after', 'After'], ['before', 'Before'], ['larger', 'The larger']], 'after', value => {
    view.width = value;
    widths.show(value);
    box.draw();
  });
  const gone = paths.filter(path => path.after === 0 && path.before > 0).length;
  const notes = 'Width: time per ' + (comparison.step.steps ? 'step' : 'run') + '. Red is slower, blue is faster, the deeper the more; without colour, a change ' +
      'may be chance or isn’t judged.' + (gone ? ' ' + counted(gone, 'path') + ' of before alone: “The larger” shows both sides.' : '') +
      (comparison.tree.hidden ? ' The paths above have the time of ' + counted(comparison.tree.hidden, 'path') + ' with the least.' : '');
  say();
  const section = makeSection('diff-icicle', 'Call paths, before and after', make('div', 'tools', null, widths, all), box, status, make('p', 'note', notes));
  section.update = changed => {
    if (changed.has('search'))
      box.redraw();
  };
  return section;
}
