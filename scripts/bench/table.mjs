/**
 * What a benchmark tells: see bench/support/report.ts.
 * @typedef {object} Row
 * @property {string} name
 * @property {number} figure
 * @property {string} unit
 * @property {string} [budget]
 * @property {boolean} ok
 */

const begin = '<!-- figures: begin (npm run bench -- --write) -->'
const end = '<!-- figures: end -->'

/**
 * A Markdown table whose columns are as wide as what stands in them.
 * @param {readonly Row[]} rows
 */
export function formatTable(rows) {
  const cells = [
    ['what', 'figure', 'unit', 'budget', ''],
    ...rows.map((row) => [row.name, round(row.figure), row.unit, row.budget ?? '', verdict(row)]),
  ]
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const [head = [], ...body] = cells.map((row) =>
    row.map((text, column) =>
      column === 1 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
    ),
  )
  const rule = widths.map((width, column) =>
    column === 1 ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** @param {Row} row */
function verdict(row) {
  return row.budget === undefined ? '' : row.ok ? 'kept' : 'OVER'
}

/**
 * Three figures that mean something.
 * @param {number} figure
 */
function round(figure) {
  return Math.abs(figure) >= 100
    ? Math.round(figure).toLocaleString('en')
    : String(Number(figure.toPrecision(3)))
}

/**
 * The text with what stands between its markers replaced; both are added at its end where they are missing.
 * @param {string} text
 * @param {string} between
 */
export function replaceBetweenMarkers(text, between) {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  const block = `${begin}\n${between}\n${end}`
  if (from < 0 || to < from) return `${text.trimEnd()}\n\n${block}\n`
  return text.slice(0, from) + block + text.slice(to + end.length)
}
