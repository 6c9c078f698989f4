import { AppError } from '../basics/errors'
import { fold } from '../basics/fold'
import { titleLine } from '../basics/title'

/** Longest tag, in characters. */
export const longestTag = 40
/** Most tags of one conversation. */
export const mostTags = 20

// What is drawn as nothing, but for the joiners and variations inside of emoji and of scripts that need them.
const unseen = /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu
const ignored = /\p{Default_Ignorable_Code_Point}+/gu

/** Returns a text as a tag can be: one line of visible characters, at most `longestTag`; undefined where it is none. */
export function tagLine(text: string): string | undefined {
  const line = titleLine(titleLine(text, longestTag + 1).replace(unseen, ''), longestTag + 1)
  const isLong = Array.from(line).length > longestTag
  return isLong || line.replace(ignored, '').trim() === '' ? undefined : line
}

/** Returns an id that is the same for tags that differ only in case. */
export function tagId(tag: string): string {
  return fold(tag).replace(ignored, '')
}

/** Returns true where one of the tags is this one, in upper or lower case. */
export function hasTag(tags: readonly string[] | undefined, tag: string): boolean {
  const id = tagId(tag)
  return tags?.some((one) => tagId(one) === id) ?? false
}

/** Returns the values that can be a tag, each once, as it was written first. */
export function plainTags(tags: readonly unknown[]): readonly string[] {
  const found = new Map<string, string>()
  for (const tag of tags) {
    const line = typeof tag === 'string' ? tagLine(tag) : undefined
    if (line !== undefined && !found.has(tagId(line))) found.set(tagId(line), line)
  }
  return [...found.values()]
}

/**
 * Returns the tags with one more, last or at a place that is counted from 0; the same ones where they have it in any case.
 * @throws AppError `bad-argument`
 */
export function withTag(
  tags: readonly string[],
  text: string,
  at = tags.length,
): readonly string[] {
  const tag = tagLine(text)
  if (tag === undefined)
    throw new AppError('bad-argument', `A tag has 1 to ${longestTag} visible characters.`)
  if (hasTag(tags, tag)) return tags
  if (tags.length >= mostTags)
    throw new AppError('bad-argument', `A conversation has at most ${mostTags} tags.`)
  return [...tags.slice(0, at), tag, ...tags.slice(at)]
}

/** Returns the tags without one, in upper or lower case. */
export function withoutTag(tags: readonly string[], text: string): readonly string[] {
  const id = tagId(tagLine(text) ?? text)
  return tags.filter((tag) => tagId(tag) !== id)
}

/** Counts the tags of conversations; the most frequent first, then by name. */
export function tagsInUse(
  conversations: readonly { readonly tags?: readonly string[] | undefined }[],
): readonly { readonly tag: string; readonly count: number }[] {
  const found = new Map<string, { tag: string; count: number }>()
  for (const { tags = [] } of conversations)
    for (const tag of tags) {
      const one = found.get(tagId(tag))
      if (one === undefined) found.set(tagId(tag), { tag, count: 1 })
      else one.count++
    }
  return [...found.values()].sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag))
}
