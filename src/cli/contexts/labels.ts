import { AppError } from '../../shared/model/basics/errors'
import { longestOwnTitle, titleLine } from '../../shared/model/basics/title'
import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import { tagLine, withoutTag, withTag } from '../../shared/model/conversation/tag'
import type { CommandContext } from '../command/command'
import { findRef } from '../conversations/find'
import { openGivenTitles } from '../conversations/titles'
import { sayOnce } from '../conversations/tolerant-reader'
import { terminalText } from '../terminal/output'

/** Changes of the labels that any conversation can have: a title, a tag more, a tag less. */
const labelKinds = ['title', 'tag', 'untag'] as const
/** Label that a conversation can be given: one of `labelKinds`. */
export type Label = (typeof labelKinds)[number]

/** Returns true where a word names a change of a label. */
export function isLabel(word: string | undefined): word is Label {
  return labelKinds.some((gift) => gift === word)
}

/** Gives a title or a tag to a context of the home. @throws AppError */
export function labelContext(
  gift: Label,
  context: CommandContext,
  home: string,
  [name = '', wanted = '']: readonly string[],
): Promise<void> {
  return setLabel(gift, context, libraryKeyOf('chibi', name), home, name, wanted)
}

/** Gives it to a conversation of another system. @throws AppError `not-found`, `read-only` a context of a home that is only read */
export async function labelConversation(
  gift: Label,
  context: CommandContext,
  home: string | undefined,
  [wanted = '', given = '']: readonly string[],
): Promise<void> {
  const { args, disk, output, signal } = context
  const { source, key, root } = (await findRef(wanted, args, disk, signal, sayOnce(output.say))).ref
  if (source !== 'chibi')
    return setLabel(gift, context, libraryKeyOf(source, key), home, key, given)
  if (!args.roots.some((one) => one.writable && one.path === root))
    throw new AppError(
      'read-only',
      `"${key}" is a context of a home that is only read; --home takes it as one to write to.`,
    )
  return setLabel(gift, context, libraryKeyOf(source, key), root, key, given)
}

async function setLabel(
  gift: Label,
  context: CommandContext,
  key: LibraryKey,
  home: string | undefined,
  name: string,
  wanted: string,
): Promise<void> {
  const titles = openGivenTitles(context, home)
  if (gift !== 'title') {
    const change = gift === 'tag' ? withTag : withoutTag
    let before: readonly string[] = []
    const tags = await titles.changeTags(key, (now) => {
      before = now
      return change(now, wanted)
    })
    const words = tags.length === 0 ? 'no tags' : `the tags ${tags.join(', ')}`
    const isLacking = gift === 'untag' && tags.length === before.length
    const lacking = isLacking ? `It was not tagged "${tagLine(wanted) ?? wanted}". ` : ''
    context.output.say(terminalText(`${lacking}"${name}" has ${words}.`))
    return
  }
  const line = titleLine(wanted, longestOwnTitle)
  const at = (context.now?.() ?? Date.now()) / 1000
  await titles.give(key, { title: line === '' ? null : line, by: 'person', at })
  const words = line === '' ? 'no title of its own' : `the title "${line}"`
  context.output.say(terminalText(`"${name}" has ${words}.`))
}
