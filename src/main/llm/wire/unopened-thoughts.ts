/** A run of an answer's text; `parted` says that all text before was thoughts. */
export type WordRun =
  | { readonly type: 'content'; readonly text: string }
  | { readonly type: 'parted' }

/** Separator of text and thoughts that are closed and were never opened, while they stream. */
export interface UnopenedThoughts {
  /** Takes the next piece of the text; returns the part that is certain. */
  push(text: string): readonly WordRun[]
  /** Returns what waited for the rest of its line; the answer has ended. */
  end(): readonly WordRun[]
}

const tag = /^[ \t]*<\/(think|thinking)>[ \t]*\r?$/i
const fence = /^[ \t]*(```|~~~)/
const opening = /<think(ing)?>/i
const longestTag = '</thinking>'
/** Blank space that waits for what comes behind it on its line. */
const mostBlank = 1000

/**
 * Looks for a closing tag on a line of its own, outside of code, in an answer that never opened it: a server's
 * template had written the opening tag before the model began. Until that line comes, thoughts count as text, since
 * nothing tells them apart; the first such line decides, and a tag inside of code or behind an opening one is text.
 *
 * Linear in the text.
 */
export function unopenedThoughts(): UnopenedThoughts {
  /**
   * `looking`: for the tag; `behind`: it was found, and blank space before the answer is left out; `done`: all is
   * words.
   */
  let state: 'looking' | 'behind' | 'done' = 'looking'
  let fences = 0
  /** The line so far, as much of it as shows what it is. */
  let line = ''
  /** The part of the line that may be the tag and was not given yet. */
  let held = ''

  /** Ends a line; returns true where it is the tag. */
  function endsWithTag(): boolean {
    const isTag = tag.test(line)
    if (isTag && fences % 2 === 0) return true
    if (isTag || opening.test(line)) state = 'done'
    if (fence.test(line)) fences++
    line = ''
    return false
  }

  function look(text: string, runs: WordRun[]): string {
    let words = ''
    let at = 0
    while (at < text.length && state === 'looking') {
      const feed = text.indexOf('\n', at)
      const end = feed < 0 ? text.length : feed
      line += text.slice(at, end)
      held += text.slice(at, feed < 0 ? end : end + 1)
      at = feed < 0 ? end : end + 1
      if (feed < 0) {
        if (mayBeTag(line)) break
        words += held
        held = ''
        continue
      }
      if (endsWithTag()) {
        held = ''
        state = 'behind'
        if (words !== '') runs.push({ type: 'content', text: words })
        runs.push({ type: 'parted' })
        return text.slice(at)
      }
      words += held
      held = ''
    }
    if (state === 'done') words += text.slice(at)
    if (words !== '') runs.push({ type: 'content', text: words })
    return ''
  }

  return {
    push(text) {
      const runs: WordRun[] = []
      let rest = text
      if (state === 'looking') rest = look(rest, runs)
      if (state === 'behind') {
        rest = rest.trimStart()
        if (rest !== '') state = 'done'
      }
      // What `look` has given already is no rest.
      if (state === 'done' && rest !== '') runs.push({ type: 'content', text: rest })
      return runs
    },
    end() {
      if (state !== 'looking' || held === '') return []
      const words = held
      held = ''
      return endsWithTag() ? [{ type: 'parted' }] : [{ type: 'content', text: words }]
    },
  }
}

/** Returns true where a line may still become the tag. */
function mayBeTag(line: string): boolean {
  if (line.length > mostBlank + longestTag.length) return false
  const text = line.trimStart().toLowerCase()
  return (
    longestTag.startsWith(text) ||
    '</think>'.startsWith(text) ||
    /^<\/think(ing)?>[ \t]*\r?$/.test(text)
  )
}
