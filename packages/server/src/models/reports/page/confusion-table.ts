import { type Markup, markup } from './markup.js';
import { writeTable } from './tables.js';

/** Beyond it nobody reads a table; the confusions that count are listed instead. */
const maxTableLabels = 30;
const maxListed = 30;

/** @param confusion by what an image shows, then by what it was answered */
export function writeConfusion(titles: readonly string[], confusion: readonly (readonly number[])[]): Markup {
  return markup`<section><h2>What was taken for what</h2>
${titles.length <= maxTableLabels ? writeMatrix(titles, confusion) : writeList(titles, confusion)}</section>`;
}

function writeMatrix(titles: readonly string[], confusion: readonly (readonly number[])[]): Markup {
  return markup`<p>A row is what images show, a column what they were answered; what is on the diagonal is right.</p>
<div class="wide"><table class="confusion"><thead><tr><th></th>${titles.map((title) => markup`<th scope="col"><span>${title}</span></th>`)}</tr></thead>
<tbody>${confusion.map((row, shown) => {
    const total = row.reduce((sum, cell) => sum + cell, 0);
    return markup`<tr><th scope="row">${titles[shown] ?? ''}</th>${row.map((cell, answered) => {
      const shade = total === 0 ? 0 : cell / total;
      const colour = shown === answered ? '46 125 80' : '192 57 43';
      return markup`<td style="background: rgb(${colour} / ${(0.75 * shade).toFixed(2)})">${cell === 0 ? '' : cell}</td>`;
    })}</tr>\n`;
  })}</tbody></table></div>`;
}

function writeList(titles: readonly string[], confusion: readonly (readonly number[])[]): Markup {
  const wrong: { readonly shown: number; readonly answered: number; readonly images: number }[] = [];
  for (const [shown, row] of confusion.entries()) {
    for (const [answered, images] of row.entries())
      if (images > 0 && shown !== answered) wrong.push({ shown, answered, images });
  }
  wrong.sort((a, b) => b.images - a.images);
  if (wrong.length === 0) return markup`<p>Nothing was taken for something else.</p>`;
  return writeTable(
    ['shown', 'answered', 'images'],
    wrong
      .slice(0, maxListed)
      .map(({ shown, answered, images }) => [titles[shown] ?? '', titles[answered] ?? '', images]),
  );
}
