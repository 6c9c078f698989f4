import { largestOf, pushAll } from '../../../shared/model/basics/long-lists'
import { fencedBlock } from './markdown-text'
import { blockTokens, type Zone, zonesOf } from './markdown-zones'
import { proseTokens } from './prose'

/**
 * Escapes Markdown that a person or a model wrote: it reads and renders as before, but no renderer finds HTML, an
 * image to load, a link that runs, or an end to its own entry in it.
 * Outside of code, `<` that could begin a tag, `&` that could begin an entity, `!` before an image, and the brackets
 * of links to anything but web and mail are escaped; so is a link definition, which would vanish and change other
 * entries. An open fence is closed. A CommonMark parser decides where code is. A text whose rendering would leave
 * letters out becomes a code block. Line ends must be LF.
 */
export function safeMarkdown(text: string): string {
  if (proseTokens(text) === undefined) return fencedBlock(text)
  const lines = text.trimEnd().split('\n')
  const { blocks, openFence } = blocksOf(lines)
  const safe = escapeLines(lines, blocks).join('\n')
  return openFence === undefined ? safe : `${safe}\n${openFence}`
}

interface Block {
  /** Lines, `to` not included. */
  readonly from: number
  readonly to: number
  /** Undefined for code. */
  readonly content: string | undefined
}

function blocksOf(lines: readonly string[]): {
  readonly blocks: readonly Block[]
  readonly openFence: string | undefined
} {
  const blocks: Block[] = []
  let openFence: string | undefined
  let row: [number, number] = [0, 0]
  for (const token of blockTokens(lines.join('\n'))) {
    const [from, to] = token.map ?? row
    if (token.type === 'tr_open') row = [from, to]
    if (token.type === 'inline') blocks.push({ from, to, content: token.content })
    if (token.type !== 'fence' && token.type !== 'code_block') continue
    blocks.push({ from, to, content: undefined })
    // One inside a list or a quotation ends with that.
    const isLast = token.type === 'fence' && token.level === 0 && to === lines.length
    if (isLast && !isClosed(lines, from, token.markup)) openFence = token.markup
  }
  return { blocks, openFence }
}

function isClosed(lines: readonly string[], from: number, fence: string): boolean {
  const last = (lines.at(-1) ?? '').trim()
  const isFence = last.length >= fence.length && last === (fence[0] ?? '').repeat(last.length)
  return lines.length - 1 > from && isFence && !/^( {4}|\t)/.test(lines.at(-1) ?? '')
}

function escapeLines(lines: readonly string[], blocks: readonly Block[]): readonly string[] {
  const result: string[] = []
  let at = 0
  for (let i = 0; i < blocks.length; ) {
    const from = blocks[i]?.from ?? 0
    // The cells of a row stand on one line.
    let end = i
    while (blocks[end]?.from === from) end++
    const same = blocks.slice(i, end)
    const to = largestOf(same.map((block) => block.to))
    i = end
    for (; at < from; at++) result.push(escapeAll(lines[at] ?? ''))
    const source = lines.slice(at, to)
    const isCode = same.some((block) => block.content === undefined)
    pushAll(result, isCode ? source : [escapeBlock(source.join('\n'), same)])
    at = Math.max(at, to)
  }
  // Lines of no block: rules, and what is nested deeper than the parser goes.
  for (; at < lines.length; at++) result.push(escapeAll(lines[at] ?? ''))
  return result
}

const special = /[<&![\]]/g
/** A special character, and the line's beginning where it is at one. */
const specialInPlace = /(\n[ \t>]*)?([<&![\]])/g

/**
 * Escapes the lines of one block. The parser has taken `>`, list marks and indentation off; since none of them is a
 * special character, the n-th of these in the contents is the n-th in the lines.
 */
function escapeBlock(source: string, contents: readonly Block[]): string {
  const edits = contents.flatMap(({ content = '' }) => editsOf(content))
  if ((source.match(special)?.length ?? 0) < edits.length) return escapeAll(source)
  let next = 0
  return source.replace(specialInPlace, (_, lineStart: string | undefined, character: string) => {
    // A table drops the cells that are too many; nothing is known of what they hold.
    const edit = edits[next++] ?? escapes[character] ?? character
    return edit === joined ? ` ${character}` : `${lineStart ?? ''}${edit}`
  })
}

/**
 * The edit of a `<` that begins a line inside a code span: there HTML would begin all the same, and end the span. The
 * line end before it becomes a space, which is what a code span shows for it.
 */
const joined = 'joined'

function escapeAll(source: string): string {
  return source.replace(special, (character) => escapes[character] ?? character)
}

const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '&': '&amp;',
  '!': '\\!',
  '[': '\\[',
  ']': '\\]',
}

/** The replacement of every special character of a text. */
function editsOf(content: string): readonly string[] {
  const { zones, deadBrackets } = zonesOf(content)
  if (/^\[(?:[^[\]\\]|\\.)*\]:/s.test(content)) deadBrackets.add(0)
  const edits: string[] = []
  let zone = 0
  // They do not overlap: code in a link's label ends before its destination.
  const inOrder = zones.slice().sort((a, b) => a.start - b.start)
  for (const { 0: character, index } of content.matchAll(special)) {
    while ((inOrder[zone]?.end ?? Infinity) <= index) zone++
    const place = inOrder[zone]
    const kind = place !== undefined && place.start <= index ? place.kind : undefined
    const isDead = deadBrackets.has(index) || mustEscape(content, index, kind)
    if (isDead) edits.push(escapes[character] ?? character)
    else edits.push(kind === 'code' && beginsLine(content, index) ? joined : character)
  }
  return edits
}

function mustEscape(content: string, index: number, zone: Zone['kind'] | undefined): boolean {
  if (zone === 'code' || zone === 'address') return false
  const rest = content.slice(index, index + 40)
  switch (content[index]) {
    case '<':
      // HTML begins with these alone, in Markdown and in a browser.
      return /^<[A-Za-z/!?]/.test(rest) && !isEscaped(content, index)
    case '&':
      if (zone === 'destination') return false
      return /^&(#x?[0-9a-f]{1,8}|[a-z][a-z0-9]{1,31});/i.test(rest) && !isEscaped(content, index)
    case '!':
      return zone === undefined && rest[1] === '[' && !isEscaped(content, index)
    default:
      return false
  }
}

function beginsLine(content: string, index: number): boolean {
  let before = index - 1
  while (content[before] === ' ' || content[before] === '\t') before--
  return content[index] === '<' && content[before] === '\n'
}

function isEscaped(content: string, index: number): boolean {
  let backslashes = 0
  while (content[index - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
