// The views' tables: built from the report's own columns and rows, sorted and
// filtered in place.

// A cell is a text, or a value with its text.
function cellText(cell) {
  return typeof cell === 'string' ? cell : cell[1];
}

function cellValue(cell) {
  return typeof cell === 'string' ? cell : cell[0];
}

// Below 0 where X comes before Y in descending order; a missing value goes last.
function compareValues(x, y, descending) {
  if (x === null || x === undefined || y === null || y === undefined)
    return (x === null || x === undefined) - (y === null || y === undefined);
  const sign = typeof x === 'string' ? x.localeCompare(y) : x - y;
  return descending ? -sign : sign;
}

// Rows in the order of one column; totals stay on top, and the order of equal
// rows is the report's.
function sortedRows(rows, column, descending) {
  const value = row => cellValue(row.cells[column]);
  const totals = rows.filter(row => row.total);
  return totals.concat(rows.filter(row => !row.total).sort(
      (a, b) => compareValues(value(a), value(b), descending)));
}

// A header that sorts.
function headerCell(column, onSort) {
  const cell = make('th', column.text ? 'text' : '');
  cell.scope = 'col';
  cell.append(makeButton(column.header, onSort));
  return cell;
}

function markSorted(head, column, descending) {
  [...head.children].forEach((cell, i) => cell.setAttribute('aria-sort',
      i !== column ? 'none' : descending ? 'descending' : 'ascending'));
}

// Columns that have a bar in each cell: shares, and the times of kernels.
function barLimits(table, view) {
  return table.columns.map((column, index) => {
    if (column.percent && view !== 'changes')
      return 100;
    if (view !== 'kernels' || column.key !== 'total_s')
      return 0;
    return Math.max(...table.rows.map(row => cellValue(row.cells[index]) || 0));
  });
}

// The name of a row of call paths is a link that chooses the longest of them, and
// again the next one; the row does the same for a mouse.
function addChoice(line, nodes) {
  const name = line.cells[0];
  const choose = () => go({node: nodes[(nodes.indexOf(state.node) + 1) % nodes.length]});
  const link = make('a', 'choice', name.textContent);
  link.href = addressOf(Object.assign({}, state, {node: nodes[0], range: null}));
  name.replaceChildren(link);
  if (nodes.length > 1)
    line.title = nodes.length + ' call paths: a click chooses the longest one, another click the next';
  line.classList.add('leads');
  line.nodes = nodes;
  line.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    choose();
  });
}

// Marks the rows of PLACE that have the chosen call path.
function markRows(place) {
  for (const line of place.querySelectorAll('tr.leads')) {
    const isChosen = line.nodes.includes(state.node);
    line.classList.toggle('chosen', isChosen);
    isChosen ? line.setAttribute('aria-current', 'true') : line.removeAttribute('aria-current');
  }
}

function bodyRow(table, row, limits, whiskers) {
  const line = make('tr', row.total ? 'total' : '');
  row.cells.forEach((cell, index) => {
    const column = table.columns[index];
    const item = make('td', column.text ? 'text' : '', cellText(cell));
    if (column.text) {
      item.title = cellText(cell);
      if (index === 0 && row.depth)
        item.style.paddingLeft = (10 + 16 * row.depth) + 'px';
    }
    if (limits[index] && typeof cellValue(cell) === 'number' && !row.total)
      addBar(item, cellValue(cell) / limits[index]);
    line.append(item);
  });
  if (row.nodes && line.cells.length)
    addChoice(line, row.nodes);
  if (whiskers)
    line.cells[0].after(whiskers.cell(row));
  return line;
}

// A bar behind a cell's text.
function addBar(cell, share) {
  cell.classList.add('share');
  cell.style.setProperty('--share', Math.max(0, Math.min(100, 100 * share)) + '%');
}

// Rows that a table shows until all are asked for.
const rowsAtFirst = 20;

// A scrolling place for a table, which the keyboard can scroll.
function scrolling(table, label) {
  const place = make('div', 'scroll', null, table);
  place.tabIndex = 0;
  place.setAttribute('role', 'region');
  place.setAttribute('aria-label', 'Table: ' + label);
  return place;
}

// One table of VIEW with its title, filter and notes; FILTERED is the filter's
// text at first, NAME what screen readers call it.
function tableView(table, view, filtered, name) {
  const place = make('section', 'table');
  if (table.title)
    place.append(make('h3', '', table.title));
  for (const line of table.preamble)
    place.append(make('p', 'note', null, ...withCode(line)));
  const filter = make('input');
  filter.type = 'search';
  filter.value = filtered;
  filter.placeholder = 'Filter rows';
  filter.setAttribute('aria-label', 'Filter rows of ' + name);
  const count = make('span', 'hint');
  const head = make('tr'), body = make('tbody');
  const sorting = {column: -1, descending: true, all: false};
  const more = makeButton('', () => {
    sorting.all = true;
    fill();
    body.rows[rowsAtFirst].cells[0].scrollIntoView({block: 'nearest'});
  }, 'more');
  const limits = barLimits(table, view);
  const whiskers = whiskersOf(table);
  const fill = () => {
    const wanted = filter.value.toLowerCase();
    let rows = sorting.column < 0 ? table.rows
                                  : sortedRows(table.rows, sorting.column, sorting.descending);
    rows = rows.filter(row => !wanted || row.cells.some(
        (cell, i) => table.columns[i].text && cellText(cell).toLowerCase().includes(wanted)));
    // One or two rows more are no reason for a button.
    const shown = sorting.all || rows.length <= rowsAtFirst + 2 ? rows : rows.slice(0, rowsAtFirst);
    body.replaceChildren(...shown.map(row => bodyRow(table, row, limits, whiskers)));
    markRows(body);
    more.hidden = shown.length === rows.length;
    more.textContent = 'Show all ' + rows.length + ' rows';
    count.textContent = wanted ? rows.length + ' of ' + table.rows.length + ' rows' : '';
    markSorted(head, whiskers && sorting.column > 0 ? sorting.column + 1 : sorting.column, sorting.descending);
  };
  table.columns.forEach((column, index) => head.append(headerCell(column, () => {
    sorting.descending = sorting.column === index ? !sorting.descending : !column.text;
    sorting.column = index;
    fill();
  })));
  if (whiskers)
    head.firstChild.after(make('th', 'plain whiskers', whiskers.title));
  filter.addEventListener('input', fill);
  fill();
  if (table.rows.length > 6 || filtered)
    place.append(make('div', 'tools', null, filter, count));
  if (table.columns.length)
    place.append(scrolling(make('table', '', null, make('thead', '', null, head), body), name));
  place.append(more);
  if (table.hidden)
    place.append(make('p', 'note', table.hidden + ' more rows are not on this page; loopscope report --rows all prints them.'));
  for (const line of table.notes)
    place.append(make('p', 'note', null, ...withCode(line)));
  return place;
}
