import {
  type ConversationSummary,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import type { Distinction } from '../../shared/model/family/branching'

/** Texts of a conversation below its family: what tells it from the others, and how it is called. */
export interface MemberWords {
  readonly words: string
  /** Its own title, else the part of its key that the others have not. */
  readonly name: string
}

/** Returns the texts of a family's conversations, by key. Words come once they are known; until then it is the title. */
export function memberWords(
  members: readonly ConversationSummary[],
  distinctions: ReadonlyMap<string, Distinction>,
): ReadonlyMap<string, MemberWords> {
  const titles = new Set(members.map(({ title }) => title))
  const keys = members.map(({ key }) => parseLibraryKey(key).key as string)
  const shared = sharedPrefix(keys)
  return new Map(
    members.map(({ key, title }, at) => {
      const own = keys[at] ?? ''
      const short = shared < 6 ? own : `…${own.slice(shared - 1)}`
      const words = distinctions.get(key)?.words || title
      // Where all have one title, only the key says which it is.
      const name = titles.size > 1 && words !== title ? title : short
      return [key, { words, name }] as const
    }),
  )
}

/** How many characters all texts begin with. */
function sharedPrefix([first = '', ...others]: readonly string[]): number {
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return length
}
