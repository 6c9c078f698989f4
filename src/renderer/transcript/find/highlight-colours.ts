/** The highlights with their colours. */
const kinds = [
  ['landing', '--mark-bg', '--mark-text'],
  ['landing-strong', '--mark-on-bg', '--mark-on-text'],
  ['preview', '--mark-bg', '--mark-text'],
  ['found', '--mark-bg', '--mark-text'],
  ['found-now', '--mark-on-bg', '--mark-on-text'],
] as const

/** Makes a highlight of any number of ranges. */
export function highlightOf(ranges: readonly Range[]): Highlight {
  const highlight = new Highlight()
  for (const range of ranges) highlight.add(range)
  return highlight
}

let sheet: CSSStyleSheet | undefined

/**
 * Colours highlights now and whenever the window's appearance changes, until the returned function is called. The
 * appearance is in attributes of the root, which change after the system's.
 */
export function keepHighlightsColoured(): () => void {
  const appearance = new MutationObserver(colourHighlights)
  appearance.observe(document.documentElement, {
    attributeFilter: ['data-theme', 'data-contrast'],
  })
  colourHighlights()
  return () => appearance.disconnect()
}

/**
 * Sets the colours of highlights for the present appearance.
 * Highlights take no custom properties in the older runtime (Chrome 114), so the values are written into a style
 * sheet of their own.
 */
function colourHighlights(): void {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const look = getComputedStyle(document.documentElement)
  const rules = kinds.map(
    ([name, back, text]) =>
      `::highlight(${name}) { background-color: ${look.getPropertyValue(back)}; color: ${look.getPropertyValue(text)}; }`,
  )
  sheet.replaceSync(rules.join('\n'))
}
