/** Node of a drawn formula: text, or an element with what it may have. */
export type FormulaNode = string | FormulaElement

/** Element of a drawn formula; name and attributes are on the lists of this file. */
export interface FormulaElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  /** Names as in a style sheet. */
  readonly style: Readonly<Record<string, string>>
  readonly children: readonly FormulaNode[]
}

const html = ['span']
const svg = ['svg', 'path', 'line']
const mathMl = [
  ...['math', 'semantics', 'mrow', 'mi', 'mn', 'mo', 'mtext', 'mspace', 'mfrac', 'msqrt', 'mroot'],
  ...['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mtable', 'mtr', 'mtd', 'mstyle'],
  ...['mpadded', 'mphantom', 'menclose', 'mlabeledtr', 'merror', 'mmultiscripts', 'mprescripts'],
]
const elements: ReadonlySet<string> = new Set([...html, ...svg, ...mathMl])
/** Elements that are left out with what is in them: the source stands beside the formula. */
const leftOut: ReadonlySet<string> = new Set(['annotation', 'annotation-xml'])

/** Attributes that draw, or are read aloud. None leads anywhere, names anything, runs, or gives MathML a size. */
const shared = ['class', 'aria-hidden', 'xmlns']
const drawn = new Set([
  ...shared,
  ...['width', 'height', 'viewBox', 'preserveAspectRatio', 'd', 'x1', 'x2', 'y1', 'y2'],
  'stroke-width',
])
const spoken = new Set([
  ...shared,
  ...['display', 'mathvariant', 'stretchy', 'fence', 'separator', 'accent', 'accentunder'],
  ...['scriptlevel', 'displaystyle', 'notation', 'columnalign', 'movablelimits', 'side'],
])
/** Attributes with one value alone: a fraction without a line is a binomial, and is spoken as one. */
const spokenValues: Readonly<Record<string, string>> = { linethickness: '0px' }

const length = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:em|ex|px|%|mu)?`
/** Styles that lay out. Colours are the window's: no formula can hide in the colour of the page. */
const styles: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    [
      ...['height', 'width', 'min-width', 'top', 'bottom', 'left', 'vertical-align'],
      ...['padding-left', 'padding-right', 'margin', 'margin-left', 'margin-right', 'margin-top'],
      ...['border-width', 'border-bottom-width', 'border-top-width', 'border-right-width'],
      ...['border-left-width'],
    ].map((name) => [name, new RegExp(`^${length}(?: ${length}){0,3}$`)]),
  ),
  'border-style': /^(?:solid|dashed)$/,
  'border-right-style': /^(?:solid|dashed)$/,
  'border-left-style': /^(?:solid|dashed)$/,
  position: /^relative$/,
  // What `\mathstrut` leaves room for.
  color: /^transparent$/,
}

/**
 * Most elements inside each other. A formula of books has up to 50, a fraction adds 8, a power 7; at 1,000 the browser ends
 * the page while it lays them out.
 */
const deepest = 200

const tag = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)/y
const attribute = /([\w:-]+)="([^"]*)"/g
const entities: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" },
}

/**
 * Reads the markup that KaTeX writes as a tree: elements, attributes and styles of the lists above, others are left out.
 * It is never given to the page as markup. Undefined for what KaTeX does not write: elements that are not on the list, or
 * tags that do not match; and for what is nested too deep. One pass.
 */
export function markupTree(markup: string): readonly FormulaNode[] | undefined {
  const root: OpenElement = { tag: '', attributes: {}, style: {}, children: [] }
  const open = [root]
  tag.lastIndex = 0
  while (tag.lastIndex < markup.length) {
    const match = tag.exec(markup)
    const parent = open.at(-1)
    if (match === null || parent === undefined) return undefined
    const [, end = '', name = '', given = '', alone = '', text] = match
    if (text !== undefined) parent.children.push(decoded(text))
    else if (end !== '') {
      if (open.length === 1 || parent.tag !== name) return undefined
      open.pop()
    } else {
      const isLeftOut = leftOut.has(name)
      if (!isLeftOut && !elements.has(name)) return undefined
      const element: OpenElement = { tag: name, ...attributesOf(name, given), children: [] }
      if (!isLeftOut) parent.children.push(element)
      if (alone === '' && open.push(element) > deepest) return undefined
    }
  }
  return open.length === 1 ? root.children : undefined
}

interface OpenElement extends FormulaElement {
  readonly children: FormulaNode[]
}

function attributesOf(
  element: string,
  given: string,
): Pick<FormulaElement, 'attributes' | 'style'> {
  const attributes = svg.includes(element) ? drawn : spoken
  const kept: Record<string, string> = {}
  let style: Record<string, string> = {}
  for (const [, name = '', value = ''] of given.matchAll(attribute)) {
    if (name === 'style') style = styleOf(decoded(value))
    else if (attributes.has(name) || (attributes === spoken && spokenValues[name] === value))
      kept[name] = decoded(value)
  }
  return { attributes: kept, style }
}

function styleOf(text: string): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const part of text.split(';')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, colon).trim()
    const value = part.slice(colon + 1).trim()
    if (Object.hasOwn(styles, name) && styles[name]?.test(value)) kept[name] = value
  }
  return kept
}

function decoded(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (name) => entities[name] ?? name)
}
