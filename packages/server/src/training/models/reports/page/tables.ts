import { type Markup, markup } from './markup.js';

type Cell = string | number | Markup;

/** Rows under a heading; the first column is of words, the others are of numbers. */
export function writeTable(heading: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  return markup`<div class="wide"><table><thead><tr>${heading.map((title) => markup`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(([first = '', ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

/** The figures that come first. */
export function writeFigures(
  figures: readonly (readonly [name: string, value: string, note?: string])[],
): Markup {
  return markup`<dl>${figures.map(
    ([name, value, note = '']) =>
      markup`<div><dt>${name}</dt><dd>${value}</dd>${note === '' ? '' : markup`<dd class="note">${note}</dd>`}</div>`,
  )}</dl>`;
}

/** Nothing where there is nothing to say. */
export function writeSentences(title: string, sentences: readonly string[]): Markup {
  if (sentences.length === 0) return markup``;
  return markup`<section><h2>${title}</h2><ul>${sentences.map((sentence) => markup`<li>${sentence}</li>`)}</ul></section>`;
}
