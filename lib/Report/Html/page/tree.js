// The call paths as a table that opens and closes (the ARIA pattern "treegrid"):
// one row is a tab stop, and the arrows go on from there.

// Rows that are open at first: down to the parts of steps, while the page isn't
// full.
const treeRowsAtFirst = 30;

function openAtFirst(tree) {
  const open = new Set();
  const queue = tree.roots.slice();
  let rows = queue.length;
  for (const node of queue) {
    if (!node.children.length || rows + node.children.length > treeRowsAtFirst)
      continue;
    open.add(node.id);
    rows += node.children.length;
    queue.push(...node.children);
    queue.sort((a, b) => b.time - a.time);
  }
  return open;
}

// The table of TREE, with buttons for groups of columns.
class TreeTable {
  constructor(tree) {
    this.tree = tree;
    this.open = openAtFirst(tree);
    this.groups = new Set();
    this.hasStrips = tree.nodes.some(node => node.family);
    this.sort = {column: -1, descending: true};
    this.rows = new Map(); // by node id, of rows that are there
    this.head = make('tr');
    this.body = make('tbody');
    const table = make('table', 'tree', null, make('thead', '', null, this.head), this.body);
    table.setAttribute('role', 'treegrid');
    table.setAttribute('aria-label', 'Call paths');
    this.note = make('p', 'note');
    this.element = make('div', '', null, this.tools(), make('div', 'scroll', null, table), this.note,
                        ...(this.hasStrips ? [make('p', 'note', stripNote(tree))] : []),
                        ...runNow().tree.notes.map(line => make('p', 'note', null, ...withCode(line))));
    this.body.addEventListener('keydown', event => this.onKey(event));
    this.fill();
  }

  tools() {
    this.openAll = makeButton('Open all', () => {
      this.parents().forEach(node => this.open.add(node.id));
      this.fill();
    });
    this.closeAll = makeButton('Close all', () => {
      this.open.clear();
      this.fill();
    });
    const tools = make('div', 'tools', null, this.openAll, this.closeAll);
    for (const group of new Set(this.tree.columns.map(column => column.group).filter(Boolean))) {
      const button = makeButton('More of the ' + group, () => {
        this.groups.has(group) ? this.groups.delete(group) : this.groups.add(group);
        button.setAttribute('aria-pressed', String(this.groups.has(group)));
        this.fill();
      });
      button.setAttribute('aria-pressed', 'false');
      tools.append(button);
    }
    return tools;
  }

  // What can be opened at once.
  parents() {
    return this.tree.nodes.slice(0, 2000).filter(node => node.children.length);
  }

  // Indices of the columns that are shown.
  columns() {
    return this.tree.columns.map((column, index) => index).filter(index => {
      const {group} = this.tree.columns[index];
      return !group || this.groups.has(group);
    });
  }

  // The nodes to show, in order; with a search, those that it finds and the ones
  // above them.
  shown() {
    const wanted = state.search ? new Set(this.tree.nodes.filter(node => isFound(node.name))
        .flatMap(node => pathTo(node).map(each => each.id))) : null;
    const list = [];
    const ordered = nodes => this.sort.column < 0 ? nodes : nodes.sort((a, b) => compareValues(
        plainValue(a.cells[this.sort.column]), plainValue(b.cells[this.sort.column]), this.sort.descending));
    // Without recursion: a hostile tree may be deep.
    const stack = this.tree.roots.slice().reverse();
    while (stack.length) {
      const node = stack.pop();
      if (wanted && !wanted.has(node.id))
        continue;
      list.push(node);
      if (wanted || this.open.has(node.id))
        stack.push(...ordered(node.children.slice()).reverse());
    }
    return list;
  }

  fill() {
    const focused = this.body.contains(document.activeElement);
    const columns = this.columns();
    const name = make('th', 'text', 'Name');
    name.scope = 'col';
    const strips = this.hasStrips ? [make('th', 'plain text', 'Keys')] : [];
    this.head.replaceChildren(name, ...strips, ...columns.map(index => {
      const column = this.tree.columns[index];
      return headerCell({header: column.header, text: column.style === 'text'}, () => {
        this.sort.descending = this.sort.column === index ? !this.sort.descending : column.style !== 'text';
        this.sort.column = index;
        this.fill();
      });
    }));
    markSorted(this.head, (columns.indexOf(this.sort.column) + 1 || -1 - strips.length) + strips.length, this.sort.descending);
    const list = this.shown();
    this.rows = new Map(list.map(node => [node.id, this.row(node, columns)]));
    this.body.replaceChildren(...this.rows.values());
    // A search opens what it finds.
    enable(this.openAll, !state.search && !this.parents().every(node => this.open.has(node.id)));
    enable(this.closeAll, !state.search && this.parents().some(node => this.open.has(node.id)));
    this.note.replaceChildren(list.length ? '' : 'No call path has “' + state.search + '” in its name. ', ...foundKeysView(this.tree));
    this.mark(focused);
  }

  row(node, columns) {
    const line = make('tr', node.parent ? '' : 'total');
    line.dataset.node = node.id;
    line.setAttribute('aria-level', node.depth + 1);
    const name = make('th', 'text name');
    name.scope = 'row';
    name.style.setProperty('--depth', node.depth);
    const twig = make('span', 'twig', node.children.length ? (this.isOpen(node) ? '▾' : '▸') : '');
    twig.setAttribute('aria-hidden', 'true');
    const dot = make('span', 'dot');
    dot.style.backgroundColor = colourOf(node.name);
    name.append(twig, dot, make('span', isFound(node.name) ? 'found' : '', labelOf(node)));
    name.title = node.name;
    line.append(name);
    if (node.children.length) {
      line.setAttribute('aria-expanded', String(this.isOpen(node)));
      twig.addEventListener('click', event => {
        event.stopPropagation();
        this.toggle(node);
      });
    }
    if (this.hasStrips)
      name.after(make('td', 'text', null, ...(node.family ? [stripView(node)] : [])));
    line.append(...columns.map(index => this.cell(node, index)));
    line.addEventListener('click', () => go({node: node.id}));
    return line;
  }

  cell(node, index) {
    const {style, key} = this.tree.columns[index];
    const cell = make('td', style === 'text' ? 'text' : '', valueText(node.cells[index], style));
    if (key === 'place')
      cell.title = node.path ? node.path + ':' + node.line : '';
    if (style === 'percent' && node.parent)
      addBar(cell, plainValue(node.cells[index]) / 100);
    return cell;
  }

  isOpen(node) {
    return this.open.has(node.id) || state.search !== '';
  }

  toggle(node) {
    this.open.has(node.id) ? this.open.delete(node.id) : this.open.add(node.id);
    this.fill();
  }

  // Marks the chosen row, which is the tab stop; the first one without a choice.
  mark(focus) {
    const chosen = this.rows.get(state.node) || this.rows.values().next().value;
    for (const [id, line] of this.rows) {
      line.setAttribute('aria-selected', String(id === state.node));
      line.tabIndex = line === chosen ? 0 : -1;
    }
    if (focus && chosen)
      chosen.focus({preventScroll: true});
  }

  // Opens what is above the chosen node, and shows its row.
  showChosen() {
    if (state.node === null)
      return this.mark(false);
    const focused = this.body.contains(document.activeElement);
    const hidden = pathTo(this.tree.nodes[state.node]).slice(0, -1).filter(node => !this.open.has(node.id));
    hidden.forEach(node => this.open.add(node.id));
    if (hidden.length && !state.search)
      this.fill();
    this.mark(focused);
    const line = this.rows.get(state.node);
    const place = this.element.querySelector('.scroll');
    if (line && (line.offsetTop < place.scrollTop + 30 ||
                 line.offsetTop + line.offsetHeight > place.scrollTop + place.clientHeight))
      place.scrollTop = line.offsetTop - place.clientHeight / 3;
  }

  onKey(event) {
    const line = event.target.closest('tr');
    if (event.key === 'Enter' && event.target.closest('a'))
      return; // the strip's own
    const node = line && this.tree.nodes[Number(line.dataset.node)];
    if (!node || event.ctrlKey || event.altKey || event.metaKey)
      return;
    const list = [...this.rows.keys()];
    const choose = id => id !== undefined && id !== null && go({node: id});
    const open = this.isOpen(node);
    const keys = {
      ArrowDown: () => choose(list[list.indexOf(node.id) + 1]),
      ArrowUp: () => choose(list[list.indexOf(node.id) - 1]),
      Home: () => choose(list[0]),
      End: () => choose(list.at(-1)),
      ArrowRight: () => node.children.length && (open ? choose(node.children[0].id) : this.toggle(node)),
      ArrowLeft: () => node.children.length && this.open.has(node.id) ? this.toggle(node)
          : node.parent && choose(node.parent.id),
      Enter: () => choose(node.id),
    };
    if (!keys[event.key])
      return;
    event.preventDefault();
    keys[event.key]();
  }
}
