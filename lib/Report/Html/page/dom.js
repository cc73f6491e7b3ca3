// Elements of the page. Every text that comes from a profile goes through
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

// TEXT as an element's children: words between backticks are code. Print/Code.h
// has the same rule.
function withCode(text) {
  return text.split(/(?<=^|[ (])`([^`]+)`(?=$|[ .,;:)])/).map(
      (part, index) => index % 2 ? make('code', '', part) : groupedText(part));
}

// A button that does ACTION.
function makeButton(text, action, className) {
  const button = make('button', className, text);
  button.type = 'button';
  button.addEventListener('click', action);
  return button;
}

// Whether BUTTON would do something; it keeps the focus either way.
function enable(button, isEnabled) {
  isEnabled ? button.removeAttribute('aria-disabled') : button.setAttribute('aria-disabled', 'true');
}

// A choice between OPTIONS, of [value, text]; LABEL says what is chosen.
function makeSelect(label, options, value, onChange) {
  const select = make('select');
  select.setAttribute('aria-label', label);
  for (const [key, text] of options)
    select.append(new Option(text, key, false, key === value));
  select.addEventListener('change', () => onChange(select.value));
  return select;
}

// A few buttons of which one is pressed; OPTIONS as above. The group has a
// function show(value).
function makeSwitch(label, options, value, onChange) {
  const group = make('span', 'switch');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', label);
  for (const [key, text] of options) {
    const button = makeButton(text, () => onChange(key));
    button.dataset.key = key;
    group.append(button);
  }
  group.show = chosen => {
    for (const button of group.children)
      button.setAttribute('aria-pressed', String(button.dataset.key === chosen));
  };
  group.show(value);
  return group;
}

// A part of the page with a heading.
function makeSection(id, title, ...children) {
  const section = make('section', 'part', null, make('h2', '', title), ...children);
  section.id = id;
  section.setAttribute('aria-label', title);
  return section;
}

function reveal(element) {
  if (!element)
    return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({block: 'start', behavior: calm ? 'auto' : 'smooth'});
}
