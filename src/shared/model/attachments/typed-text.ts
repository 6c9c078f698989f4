import { type Entry, shownText } from '../conversation/entry'
import { keptTextFiles, messageParts, withFrames } from './text-files'

/**
 * Returns the text that a person typed with the text files that went with it, where our run sent more or another text; else the message as people see it. In
 * an adopted entry `typed` comes from the other system and is not believed.
 */
export function typedTextOf(entry: Entry): string {
  const { typed, adopted } = entry.metadata ?? {}
  return typeof typed === 'string' && adopted === undefined
    ? withFrames(typed, framesOf(entry))
    : shownText(entry)
}

/** Frames of the entry's text files, as they stand in its content. */
function framesOf({ content, metadata }: Entry): readonly string[] {
  return messageParts(content, keptTextFiles(metadata)).flatMap((part) =>
    part.type === 'file' ? [content.slice(part.file.start, part.file.end)] : [],
  )
}
