// The lines of source around the chosen call path, where the file was at hand
// when the page was made.

// The excerpt with LINE of the file at PATH, as the compiler had it: maybe
// relative to where it ran. Undefined where there is none, or more than one file
// that it may be.
function excerptOf(path, line) {
  const end = '/' + path.replace(/^(\.{0,2}\/)+/, '');
  const found = runNow().sources.excerpts.filter(excerpt =>
      (excerpt.path === path || (!path.startsWith('/') && excerpt.path.endsWith(end))) &&
      excerpt.lines.some(([number]) => number === line));
  return new Set(found.map(excerpt => excerpt.path)).size === 1 ? found[0] : undefined;
}

function sourceRow([number, code, calls, ns, gpu, samples, heat], chosen, columns) {
  const row = make('tr', number === chosen ? 'here' : '');
  const line = make('td', 'text code', code || ' ');
  row.append(make('td', 'number', number));
  for (const value of columns.map(column => column.of({calls, ns, gpu, samples})))
    row.append(make('td', '', value));
  if (heat)
    addBar(line, heat);
  row.append(line);
  return row;
}

// A part with the lines around NODE; null where they aren't there.
function sourceView(node) {
  const excerpt = node.path && excerptOf(node.path, node.line);
  if (!excerpt)
    return null;
  const at = excerpt.lines.findIndex(([number]) => number === node.line);
  const lines = excerpt.lines.slice(Math.max(0, at - 8), at + 18);
  const columns = [{header: 'Time', of: line => line.ns ? duration(line.ns) : ''}];
  if (lines.some(line => line[4]))
    columns.push({header: 'GPU', of: line => line.gpu ? duration(line.gpu) : ''});
  if (lines.some(line => line[5]))
    columns.push({header: 'Samples', of: line => line.samples ? grouped(line.samples) : ''});
  const head = make('tr', '', null, make('th', 'plain', 'Line'),
                    ...columns.map(column => make('th', 'plain', column.header)), make('th', 'plain text', 'Code'));
  const table = make('table', 'source', null, make('thead', '', null, head),
                     make('tbody', '', null, ...lines.map(line => sourceRow(line, node.line, columns))));
  return make('div', 'source-part', null, make('h3', '', node.place), scrolling(table, 'Source of ' + node.name),
              ...runNow().sources.notes.map(note => make('p', 'note', note)));
}
