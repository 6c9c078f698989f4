import { conditionOfField } from './field-values'
import type { Query, QueryNode, QueryPiece } from './query'
import { phraseAt, regexAt, skipBlank, wordAt } from './tokens'

/** Brackets deeper than this are words; so are all after this many that did not parse, since each is looked at to its end. */
const deepest = 20
const mostFailures = 200

/**
 * Parses a query: `word word` (and), `"phrase"` (with `\"` and `\\`), `-not`, `field:value`, `field:"value"`, `this OR that`,
 * `/regex/i`, and brackets around alternatives or after a minus.
 *
 * Never fails. What does not parse is searched as a word: an unknown field, an invalid date, a quote or a bracket that does not
 * close, an `OR` without a side, a pattern that does not compile. A minus excludes only before a letter, a digit, a quote, or
 * what parses as brackets or a pattern: `--force` and `->` are words, since people search for them. In a query without `OR`
 * brackets are text but for those after a minus: they would change nothing, and `(e) => e` is found as it is written.
 */
export function parseQuery(text: string): Query {
  return new QueryReader(text).read()
}

/** Reader of one query, from its beginning to its end. */
class QueryReader {
  private readonly text: string
  private at = 0
  private readonly pieces: QueryPiece[] = []
  private readonly hints: string[] = []
  private groups: 'all' | 'after-minus' = 'all'
  private failures = 0
  /** Fields about the whole query; a minus takes one back. */
  private readonly switches = new Set<string>()

  constructor(text: string) {
    this.text = text
  }

  read(): Query {
    let node = this.list(0, false)
    // Without an OR brackets change nothing: then they are text, as in code that was pasted.
    if (!this.pieces.some(({ type, value }) => type === 'operator' && value === 'OR')) {
      this.goBack({ at: 0, pieces: 0, hints: 0 })
      this.groups = 'after-minus'
      this.failures = 0
      this.switches.clear()
      node = this.list(0, false)
    }
    const root = node.type === 'all' ? node : ({ type: 'all', of: [node] } as const)
    return {
      root,
      pieces: this.pieces,
      matchesCase: this.switches.has('case'),
      wantsWholeWords: this.switches.has('words'),
      hints: [...new Set(this.hints)],
    }
  }

  private list(depth: number, negated: boolean): QueryNode {
    let alternative: QueryNode[] = []
    const alternatives = [alternative]
    for (;;) {
      this.at = skipBlank(this.text, this.at)
      if (this.at >= this.text.length || this.isClosed(this.at, depth)) break
      if (alternative.length > 0 && this.isOr(depth)) {
        this.operator(2, negated)
        alternative = []
        alternatives.push(alternative)
      } else alternative.push(this.condition(depth, negated))
    }
    const nodes = alternatives.map(
      (of): QueryNode => (of.length === 1 && of[0] !== undefined ? of[0] : { type: 'all', of }),
    )
    const [only] = nodes
    return nodes.length === 1 && only !== undefined ? only : { type: 'any', of: nodes }
  }

  /** Returns true for an `OR` that has a condition behind it. */
  private isOr(depth: number): boolean {
    if (!/^OR(?=\s)/.test(this.text.slice(this.at, this.at + 3))) return false
    const next = skipBlank(this.text, this.at + 2)
    if (next >= this.text.length || this.isClosed(next, depth)) return false
    return !/^OR(?:\s|$)/.test(this.text.slice(next, next + 3))
  }

  private isClosed(at: number, depth: number): boolean {
    return depth > 0 && this.text[at] === ')'
  }

  private condition(depth: number, isInNegated: boolean): QueryNode {
    const start = this.at
    const hasMinus = this.text[start] === '-'
    const from = hasMinus ? start + 1 : start
    const negated = hasMinus !== isInNegated
    const structured =
      this.group(start, from, depth, negated) ?? this.regex(start, from, depth, negated)
    if (structured !== undefined) return hasMinus ? { type: 'not', of: structured } : structured
    if (hasMinus && /^[\p{L}\p{N}"]/u.test(this.text.slice(from, from + 2)))
      return { type: 'not', of: this.plain(start, from, depth, negated) }
    return this.plain(start, start, depth, isInNegated)
  }

  private group(
    start: number,
    from: number,
    depth: number,
    negated: boolean,
  ): QueryNode | undefined {
    if (this.text[from] !== '(' || depth >= deepest || this.failures >= mostFailures)
      return undefined
    if (this.groups === 'after-minus' && from === start) return undefined
    const before = { at: this.at, pieces: this.pieces.length, hints: this.hints.length }
    this.operator(from + 1 - start, negated)
    const node = this.list(depth + 1, negated)
    const isEmpty = node.type === 'all' && node.of.length === 0
    if (this.text[this.at] === ')' && this.endsAt(this.at + 1, depth) && !isEmpty) {
      this.operator(1, negated)
      return node
    }
    this.failures += 1
    this.goBack(before)
    return undefined
  }

  private goBack(to: Readonly<Record<'at' | 'pieces' | 'hints', number>>): void {
    this.at = to.at
    this.pieces.length = to.pieces
    this.hints.length = to.hints
  }

  private regex(
    start: number,
    from: number,
    depth: number,
    negated: boolean,
  ): QueryNode | undefined {
    const found = regexAt(this.text, from)
    if (found === undefined || !this.endsAt(found.end, depth)) return undefined
    if ('fault' in found) {
      this.hints.push(found.fault)
      return undefined
    }
    const { source, flags, end } = found
    this.at = end
    this.piece('regex', start, source, negated)
    return { type: 'regex', source, flags }
  }

  /** Reads a phrase, a field or a word. */
  private plain(start: number, from: number, depth: number, negated: boolean): QueryNode {
    const { text } = this
    const phrase = phraseAt(text, from)
    if (phrase !== undefined && phrase.text !== '') {
      this.at = phrase.end
      this.piece('phrase', start, phrase.text, negated)
      const typed = phrase.typed === phrase.text ? {} : { typed: phrase.typed }
      return { type: 'text', text: phrase.text, ...typed }
    }
    const colon = /^([a-z]+):/i.exec(text.slice(from, from + 16))
    if (colon?.[1] !== undefined) {
      const valueFrom = from + colon[0].length
      const value = this.endsAt(valueFrom, depth)
        ? { text: '', end: valueFrom }
        : (phraseAt(text, valueFrom) ?? wordAt(text, valueFrom, depth > 0))
      const { node, field, switches, hint } = conditionOfField(colon[1].toLowerCase(), value.text)
      if (hint !== undefined) this.hints.push(hint)
      if (switches !== undefined) {
        this.at = value.end
        this.piece('field', start, value.text, negated, switches)
        if (!negated) this.switches.add(switches)
        return { type: 'all', of: [] }
      }
      if (node !== undefined) {
        this.at = value.end
        this.piece('field', start, value.text, negated, field)
        return node
      }
    }
    const word = wordAt(text, from, depth > 0)
    this.at = word.end
    this.piece('word', start, word.text, negated)
    return { type: 'text', text: word.text }
  }

  private endsAt(at: number, depth: number): boolean {
    return at >= this.text.length || /\s/.test(this.text[at] ?? '') || this.isClosed(at, depth)
  }

  private operator(length: number, negated: boolean): void {
    const start = this.at
    this.at += length
    this.piece('operator', start, this.text.slice(start, this.at), negated)
  }

  private piece(
    type: QueryPiece['type'],
    start: number,
    value: string,
    negated: boolean,
    field?: QueryPiece['field'],
  ): void {
    this.pieces.push({ start, end: this.at, negated, type, field, value })
  }
}
