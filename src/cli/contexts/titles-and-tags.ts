import { AppError } from '../../shared/model/basics/errors'
import { longestOwnTitle, titleLine } from '../../shared/model/basics/title'
import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import { type LabelColor, labelColors } from '../../shared/model/conversation/label'
import { tagLine, withoutTag, withTag } from '../../shared/model/conversation/tag'
import { UsageError } from '../command/arguments'
import type { CommandContext } from '../command/command'
import { findRef } from '../conversations/find'
import { openGivenTitles } from '../conversations/titles'
import { sayOnce } from '../conversations/tolerant-reader'
import { terminalText } from '../terminal/output'

/** Changes of what is given to any conversation, with the number of words after its name. */
const changes = {
  title: 1,
  tag: 1,
  untag: 1,
  pin: 0,
  unpin: 0,
  color: 1,
  hide: 0,
  unhide: 0,
} as const
/** Change of a title, of tags, a pin, a colour or of what is hidden: one of `changes`. */
export type GivenChange = keyof typeof changes

/** Returns true where words name a change of what is given to a conversation, its name, and what is given. */
export function isGivenChange(word: string | undefined, count: number): word is GivenChange {
  return (
    word !== undefined && Object.hasOwn(changes, word) && changes[word as GivenChange] === count - 1
  )
}

/** Gives a title, a tag or a pin to a context of the home. @throws AppError */
export function giveToContext(
  kind: GivenChange,
  context: CommandContext,
  home: string,
  [name = '', wanted = '']: readonly string[],
): Promise<void> {
  return changeGiven(kind, context, libraryKeyOf('chibi', name), home, name, wanted)
}

/** Gives one to a conversation of another system. @throws AppError `not-found`, `read-only` a context of a home that is only read */
export async function giveToConversation(
  kind: GivenChange,
  context: CommandContext,
  home: string | undefined,
  [wanted = '', given = '']: readonly string[],
): Promise<void> {
  const { args, disk, output, signal } = context
  const { source, key, root } = (await findRef(wanted, args, disk, signal, sayOnce(output.say))).ref
  if (source !== 'chibi')
    return changeGiven(kind, context, libraryKeyOf(source, key), home, key, given)
  if (!args.roots.some((one) => one.writable && one.path === root))
    throw new AppError(
      'read-only',
      `"${key}" is a context of a home that is only read; --home takes it as one to write to.`,
    )
  return changeGiven(kind, context, libraryKeyOf(source, key), root, key, given)
}

async function changeGiven(
  kind: GivenChange,
  context: CommandContext,
  key: LibraryKey,
  home: string | undefined,
  name: string,
  wanted: string,
): Promise<void> {
  const titles = openGivenTitles(context, home)
  if (kind === 'pin' || kind === 'unpin') {
    await titles.setPinned(key, kind === 'pin')
    context.output.say(terminalText(`"${name}" is ${kind === 'pin' ? 'pinned' : 'not pinned'}.`))
    return
  }
  if (kind === 'hide' || kind === 'unhide') {
    await titles.setHidden(key, kind === 'hide')
    const words = kind === 'hide' ? 'hidden: "skein list --list hidden" has it' : 'not hidden'
    context.output.say(`${terminalText(`"${name}" is `)}${words}.`)
    return
  }
  if (kind === 'color') {
    const color = wantedColor(wanted)
    await titles.setColor(key, color)
    context.output.say(
      terminalText(`"${name}" ${color === undefined ? 'has no color' : `is ${color}`}.`),
    )
    return
  }
  if (kind !== 'title') {
    const change = kind === 'tag' ? withTag : withoutTag
    let before: readonly string[] = []
    const tags = await titles.changeTags(key, (now) => {
      before = now
      return change(now, wanted)
    })
    const words = tags.length === 0 ? 'no tags' : `the tags ${tags.join(', ')}`
    const isLacking = kind === 'untag' && tags.length === before.length
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

/** Parses a colour; undefined for `none`. @throws UsageError */
function wantedColor(wanted: string): LabelColor | undefined {
  const word = wanted.toLowerCase()
  if (word === 'none') return undefined
  const color = labelColors.find((known) => known === word)
  if (color !== undefined) return color
  throw new UsageError(`A color is ${labelColors.join(', ')} or none, not "${wanted}".`)
}
