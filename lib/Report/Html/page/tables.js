// Tables of the page: built from the report's own columns and rows, sorted and
// filtered in place. Every text that comes from a profile goes through
// textContent; nothing here builds markup from strings.
'use strict';

// An element with a class, text and children.
function make(tag, className, text, ...children) {
  const element = document.createElement(tag);
  if (className)
    element.className = className;
  if (text !== undefined && text !== null)
    element.textContent = text;
  element.append(...children);
  return element;
}

// A cell is a text, or a value with its text.
function cellText(cell) {
  return typeof cell === 'string' ? cell : cell[1];
}

function cellValue(cell) {
  return typeof cell === 'string' ? cell : cell[0];
}

// Rows in the order of one column; totals stay on top, a missing value goes
// last, and the order of equal rows is the report's.
function sortedRows(rows, column, descending) {
  const value = row => cellValue(row.cells[column]);
  const order = (a, b) => {
    const x = value(a), y = value(b);
    if (x === null || y === null)
      return (x === null) - (y === null);
    const sign = typeof x === 'string' ? x.localeCompare(y) : x - y;
    return descending ? -sign : sign;
  };
  const totals = rows.filter(row => row.total);
  return totals.concat(rows.filter(row => !row.total).sort(order));
}

function headerCell(column, onSort) {
  const cell = make('th', column.text ? 'text' : '');
  cell.scope = 'col';
  const button = make('button', '', column.header);
  button.type = 'button';
  button.addEventListener('click', onSort);
  cell.append(button);
  return cell;
}

function bodyRow(table, row, onPick) {
  const line = make('tr', row.total ? 'total' : '');
  row.cells.forEach((cell, index) => {
    const column = table.columns[index];
    const item = make('td', column.text ? 'text' : '', cellText(cell));
    if (column.text) {
      item.title = cellText(cell);
      if (index === 0 && row.depth)
        item.style.paddingLeft = (10 + 16 * row.depth) + 'px';
    }
    if (column.percent && typeof cellValue(cell) === 'number' && !row.total) {
      item.classList.add('share');
      item.style.setProperty('--share', Math.max(0, Math.min(100, cellValue(cell))) + '%');
    }
    line.append(item);
  });
  if (onPick && !row.total) {
    line.classList.add('link');
    line.tabIndex = 0;
    line.addEventListener('click', () => onPick(row));
    line.addEventListener('keydown', event => {
      if (event.key === 'Enter')
        onPick(row);
    });
  }
  return line;
}

// Rows that a table shows until all are asked for.
const rowsAtFirst = 20;

// One table with its title, filter and notes. ONPICK, when given, is called
// with the row that was clicked or chosen by Enter.
function tableView(table, onPick) {
  const view = make('section', 'table');
  if (table.title)
    view.append(make('h3', '', table.title));
  for (const line of table.preamble)
    view.append(make('p', 'note', line));
  const filter = make('input');
  filter.type = 'search';
  filter.placeholder = 'Filter rows';
  filter.setAttribute('aria-label', 'Filter rows of ' + (table.title || table.id));
  const count = make('span', 'hint');
  const tools = make('div', 'tools', null, filter, count);
  const head = make('tr'), body = make('tbody');
  const state = {column: -1, descending: true, all: false};
  const more = make('button', 'more');
  more.type = 'button';
  const fill = () => {
    const wanted = filter.value.toLowerCase();
    let rows = state.column < 0 ? table.rows
                                : sortedRows(table.rows, state.column, state.descending);
    rows = rows.filter(row => !wanted || row.cells.some(
        (cell, i) => table.columns[i].text && cellText(cell).toLowerCase().includes(wanted)));
    // One or two rows more are no reason for a button.
    const shown = state.all || rows.length <= rowsAtFirst + 2 ? rows : rows.slice(0, rowsAtFirst);
    body.replaceChildren(...shown.map(row => bodyRow(table, row, onPick)));
    more.hidden = shown.length === rows.length;
    more.textContent = 'Show all ' + rows.length + ' rows';
    count.textContent = wanted ? rows.length + ' of ' + table.rows.length + ' rows' : '';
    [...head.children].forEach((cell, i) => cell.setAttribute('aria-sort',
        i !== state.column ? 'none' : state.descending ? 'descending' : 'ascending'));
  };
  table.columns.forEach((column, index) => head.append(headerCell(column, () => {
    state.descending = state.column === index ? !state.descending : !column.text;
    state.column = index;
    fill();
  })));
  filter.addEventListener('input', fill);
  more.addEventListener('click', () => {
    state.all = true;
    fill();
    body.rows[rowsAtFirst].cells[0].scrollIntoView({block: 'nearest'});
  });
  fill();
  if (table.rows.length > 6)
    view.append(tools);
  view.append(make('div', 'scroll', null,
      make('table', '', null, make('thead', '', null, head), body)));
  view.append(more);
  if (table.hidden)
    view.append(make('p', 'note', table.hidden + ' more rows are not on this page; loopscope report --rows all prints them.'));
  for (const line of table.notes)
    view.append(make('p', 'note', line));
  return view;
}
