/** A run of an answer's text, or of its thoughts. */
export interface TextRun {
  readonly type: 'content' | 'reasoning'
  readonly text: string
}

/** Separator of thoughts and text, for answers whose thoughts are in their text. */
export interface ThinkTags {
  /** Takes the next piece of the content; returns the part that is certain. */
  push(text: string): readonly TextRun[]
  /** Returns what waited for the rest of a tag; the answer has ended. */
  end(): readonly TextRun[]
}

const names = ['think', 'thinking', 'thought', 'thoughts', 'reasoning']
const opening = names.map((name) => `<${name}>`)
const longestOpening = Math.max(...opening.map(({ length }) => length))
/** Blank space that waits for what comes behind it. */
const mostBlank = 1000

/**
 * Reads `<think>...</think>` at the beginning of an answer, where models without a field for their thoughts put
 * them; also several blocks, one that is never closed, and tags that are cut anywhere.
 *
 * Anywhere else, in code or in a sentence, a tag is text. Blank lines around the thoughts are left out. Linear in
 * the text.
 */
export function thinkTags(): ThinkTags {
  let state: 'start' | 'thinking' | 'words' = 'start'
  let waiting = ''
  let close = ''
  let closing = /(?!)/
  /** Thoughts were begun and are still blank. */
  let isBlank = true

  function run(isLast: boolean): readonly TextRun[] {
    const runs: TextRun[] = []
    for (;;) {
      const before = `${state}${waiting.length}`
      if (state === 'start') start(runs, isLast)
      else if (state === 'thinking') think(runs, isLast)
      else {
        if (waiting !== '') runs.push({ type: 'content', text: waiting })
        waiting = ''
      }
      if (waiting === '' || before === `${state}${waiting.length}`) return runs
    }
  }

  /** Before any word: blank space waits, since it belongs to whatever comes. */
  function start(runs: TextRun[], isLast: boolean): void {
    const text = waiting.trimStart()
    const head = text.slice(0, longestOpening).toLowerCase()
    const tag = opening.find((one) => head.startsWith(one))
    if (tag !== undefined) {
      state = 'thinking'
      isBlank = true
      close = `</${tag.slice(1)}`
      closing = new RegExp(close, 'i')
      waiting = text.slice(tag.length)
      return
    }
    const mayBeTag = opening.some((one) => one.startsWith(head))
    if (mayBeTag && !isLast) return
    state = 'words'
    // Behind thoughts the text begins with its first letter.
    if (close !== '') waiting = text
    if (waiting !== '') runs.push({ type: 'content', text: waiting })
    waiting = ''
  }

  function think(runs: TextRun[], isLast: boolean): void {
    if (isBlank) waiting = waiting.trimStart()
    const at = closing.exec(waiting)?.index ?? -1
    const isClosed = at >= 0
    const held = isClosed || isLast ? 0 : heldBack(waiting, close)
    const thoughts = isClosed
      ? waiting.slice(0, at).trimEnd()
      : isLast
        ? waiting.trimEnd()
        : waiting.slice(0, waiting.length - held)
    if (thoughts !== '') {
      runs.push({ type: 'reasoning', text: thoughts })
      isBlank = false
    }
    waiting = isClosed ? waiting.slice(at + close.length) : waiting.slice(waiting.length - held)
    if (isClosed) state = 'start'
  }

  return {
    push(text) {
      waiting += text
      return run(false)
    },
    end: () => run(true),
  }
}

/** Returns the length of the end that may be the beginning of the closing tag, with the blank space before it. */
function heldBack(text: string, close: string): number {
  const lower = text.slice(-close.length).toLowerCase()
  let tag = 0
  for (let length = Math.min(close.length - 1, lower.length); length > 0; length--)
    if (close.startsWith(lower.slice(lower.length - length))) {
      tag = length
      break
    }
  const before = text.slice(0, text.length - tag)
  const blank = before.length - before.trimEnd().length
  return tag + (blank > mostBlank ? 0 : blank)
}
