// The source: time beside its lines. Of the chosen call path or line, its file;
// without a choice, the hottest lines of all files.

// What a line of the data is, as an object; FILE is its file's index.
function readLine(file, [number, code, calls, total, self, gpu, samples, heat, node]) {
  return {file, number, code: code === null ? '' : data.code[code], calls, total, self, gpu, samples: samples || 0, heat: heat || 0,
          node: node === undefined ? null : node, hasFigures: heat !== undefined};
}

// The sources of RUN: {files: [{path, name, why, lines}], of: Map of path to
// index, notes}; lines in their order. Null without.
function readSources(run) {
  const {sources} = run;
  if (!sources || sources.read)
    return sources && sources.read;
  const files = sources.files.map(([path, why]) => ({path, name: path.replace(/^.*\//, ''), why, lines: []}));
  for (const [file, lines] of sources.excerpts)
    files[file].lines.push(...lines.map(line => readLine(file, line)));
  files.forEach(each => each.lines.sort((a, b) => a.number - b.number));
  sources.read = {files, of: new Map(sources.names), notes: sources.notes};
  return sources.read;
}

const sourcesNow = () => readSources(runNow());

// Columns beside a line; those that SOURCES have nothing for are left out. A
// phone has room for the first two.
const sourceColumns = [
  {header: 'Share', key: 'heat', of: heat => percent(100 * heat)}, {header: 'Self', key: 'self', of: duration}, {header: 'Total', key: 'total', of: duration}, {header: 'Calls', key: 'calls', of: grouped},
  {header: 'GPU', key: 'gpu', of: duration}, {header: 'Samples', key: 'samples', of: grouped}];

const widthClass = column => sourceColumns.indexOf(column) < 2 ? '' : 'if-wide';

function columnsOf(sources) {
  return sourceColumns.filter(({key}) => sources.files.some(file => file.lines.some(line => line[key])));
}

// The chosen line, {file, number}: of the address, else of the call path or the
// nearest one above it that has a place here. Null without.
function lineNow(sources) {
  if (state.line)
    return {file: state.line[0], number: state.line[1]};
  if (state.node === null)
    return null;
  const at = pathTo(nodeNow()).reverse().find(node => sources.of.has(node.path) && node.line);
  return at ? {file: sources.of.get(at.path), number: at.line} : null;
}

// A link that chooses LINE and its call path, which is the chosen one if it has
// none of its own.
const lineLink = (line, text) =>
    linkTo({node: line.node === null ? state.node : line.node, line: [line.file, line.number]}, text, 'choice');

function sourceRow(line, name, columns, isHere) {
  const row = make('tr', isHere ? 'here' : '');
  const isLink = line.hasFigures && !isHere;
  const place = make('th', 'number', isLink ? '' : name);
  place.scope = 'row';
  if (isLink)
    place.append(lineLink(line, name));
  if (isHere) {
    row.setAttribute('aria-current', 'true');
    place.tabIndex = -1; // where the focus goes on when it was chosen
  }
  row.append(place, ...columns.map(column => make('td', widthClass(column), line[column.key] ? column.of(line[column.key]) : '')));
  if (line.heat)
    addBar(row.cells[1], line.heat); // the share
  row.append(make('td', 'text code', line.code || ' '));
  return row;
}

// A table with ROWS, whose first column is TITLE.
function sourceTable(title, columns, rows, label) {
  const head = make('tr', '', null, make('th', 'plain', title),
                    ...columns.map(column => make('th', 'plain ' + widthClass(column), column.header)), make('th', 'plain text', 'Code'));
  for (const cell of head.children)
    cell.scope = 'col';
  return scrolling(make('table', 'source', null, make('thead', '', null, head), make('tbody', '', null, ...rows)), label);
}

// The rows of FILE: its lines, and between them how many are left out.
function fileRows(file, columns, here) {
  const rows = [];
  let before = 0;
  for (const line of file.lines) {
    const skipped = line.number - before - 1;
    if (before && skipped && !file.why) {
      const gap = make('td', 'text gap', counted(skipped, 'line') + ' without figures');
      gap.colSpan = columns.length + 2;
      rows.push(make('tr', '', null, gap));
    }
    before = line.number;
    rows.push(sourceRow(line, line.number, columns, line.number === here.number));
  }
  return rows;
}

// Scrolls PLACE, a table's, to its chosen row once it is laid out.
function showHere(place) {
  let isDone = false;
  place.fit = () => {
    const row = place.querySelector('.here');
    if (isDone || !row || !place.clientHeight)
      return;
    isDone = true;
    place.scrollTop = Math.max(0, row.offsetTop - place.clientHeight / 3);
  };
  fitting.observe(place);
}

function fileView(sources, here) {
  const file = sources.files[here.file];
  const title = make('h3', '', file.name + ':' + here.number);
  title.title = file.path;
  const all = makeButton('Hottest lines', () => go({node: null, line: null}));
  const items = [make('div', 'tools', null, title, all)];
  if (file.why)
    items.push(make('p', 'note', null, ...withCode(file.why)));
  if (file.lines.length) {
    const columns = columnsOf(sources);
    const place = sourceTable('Line', columns, fileRows(file, columns, here), 'Source of ' + file.name);
    showHere(place);
    items.push(place);
  } else {
    items.push(make('p', 'note', 'The lines of this file have too little time to be on this page.'));
  }
  return items;
}

const hottestAtMost = 20;

function hottestView(sources) {
  const hot = sources.files.flatMap(file => file.lines.filter(line => line.hasFigures)).sort((a, b) => b.heat - a.heat);
  const columns = columnsOf(sources);
  const shown = hot.slice(0, hottestAtMost);
  const rows = shown.map(line => sourceRow(line, sources.files[line.file].name + ':' + line.number, columns, false));
  const reasons = [...new Set(shown.map(line => sources.files[line.file].why).filter(Boolean))];
  return [sourceTable('Place', columns, rows, 'Hottest lines'),
          ...(hot.length > shown.length ? [make('p', 'note', counted(hot.length - shown.length, 'line') + ' more with figures; choose a call path to see its file.')] : []),
          ...reasons.map(why => make('p', 'note', null, ...withCode(why)))];
}

function sourceView() {
  const sources = sourcesNow();
  if (!sources)
    return null;
  const place = make('div');
  const section = makeSection('source', 'Source', place,
                              make('p', 'note', 'Share: of the run’s samples or, if that is more, the line’s own time of the run’s. Total is with all that runs inside.'),
                              ...sources.notes.map(note => make('p', 'note', null, ...withCode(note))));
  section.update = changed => {
    if (!['node', 'line', 'start'].some(key => changed.has(key)))
      return;
    const here = lineNow(sources);
    const focused = place.contains(document.activeElement);
    place.replaceChildren(...(here ? fileView(sources, here) : hottestView(sources)));
    const next = focused && (place.querySelector('.here th') || place.querySelector('a, button'));
    if (next)
      next.focus({preventScroll: true});
  };
  section.update(new Set(['start']));
  return section;
}
