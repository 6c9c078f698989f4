import os from 'node:os'
import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { shownPath } from '../../main/disk/interface/shown-path'
import { renameFile, temporaryName } from '../../main/disk/writing/atomic'
import { removeTree } from '../../main/disk/writing/remove-tree'
import { moveToTrash } from '../../main/disk/writing/trash'
import { askForSettings } from '../../main/permission/settings-questions'
import { AppError } from '../../shared/model/basics/errors'
import { countWithNoun } from '../../shared/model/basics/plural'
import { contextNameFault } from '../../shared/model/conversation/conversation'
import { labelColors } from '../../shared/model/conversation/label'
import { type Root, UsageError } from '../command/arguments'
import { type Command, type CommandContext, verboseOption } from '../command/command'
import { listContexts } from '../contexts/context-list'
import { setConfigValue, setPrompt } from '../contexts/context-values'
import { giveToContext, giveToConversation, isGivenChange } from '../contexts/titles-and-tags'
import { type NamedHome, withHome, withVisit } from '../homes/open-home'
import { terminalPermissions } from '../terminal/permissions'
import { terminalPerson } from '../terminal/person'

type Act = (context: CommandContext, opened: NamedHome, names: readonly string[]) => Promise<void>

/** Acts by their words, and what has to be named for each; what may be left out is in brackets. */
const acts: Readonly<Record<string, { readonly takes: readonly string[]; readonly act: Act }>> = {
  new: { takes: ['NAME'], act: create },
  rename: { takes: ['NAME', 'NEW'], act: rename },
  title: {
    takes: ['KEY', 'TITLE'],
    act: (context, { home }, names) => giveToContext('title', context, home.path, names),
  },
  tag: {
    takes: ['KEY', 'TAG'],
    act: (context, { home }, names) => giveToContext('tag', context, home.path, names),
  },
  untag: {
    takes: ['KEY', 'TAG'],
    act: (context, { home }, names) => giveToContext('untag', context, home.path, names),
  },
  pin: {
    takes: ['KEY'],
    act: (context, { home }, names) => giveToContext('pin', context, home.path, names),
  },
  unpin: {
    takes: ['KEY'],
    act: (context, { home }, names) => giveToContext('unpin', context, home.path, names),
  },
  color: {
    takes: ['KEY', 'COLOR'],
    act: (context, { home }, names) => giveToContext('color', context, home.path, names),
  },
  hide: {
    takes: ['KEY'],
    act: (context, { home }, names) => giveToContext('hide', context, home.path, names),
  },
  unhide: {
    takes: ['KEY'],
    act: (context, { home }, names) => giveToContext('unhide', context, home.path, names),
  },
  prompt: {
    takes: ['NAME', '[TEXT]'],
    act: (context, { home }, [name = '', text]) => setPrompt(context, home.contexts, name, text),
  },
  set: { takes: ['NAME', 'KEY', 'VALUE'], act: setValue },
  current: { takes: ['NAME'], act: makeCurrent },
  clear: { takes: ['NAME'], act: clear },
  archive: {
    takes: ['NAME'],
    act: (context, opened, names) => archive(true, context, opened, names),
  },
  unarchive: {
    takes: ['NAME'],
    act: (context, opened, names) => archive(false, context, opened, names),
  },
  destroy: { takes: ['NAME'], act: destroy },
}

/** Command `skein contexts`. */
export const contextsCommand: Command = {
  name: 'contexts',
  synopsis:
    '[new|current|clear|archive|unarchive|destroy NAME | rename NAME NEW | title KEY TITLE | tag KEY TAG | untag KEY TAG | pin KEY | unpin KEY | color KEY COLOR | hide KEY | unhide KEY | prompt NAME [TEXT] | set NAME KEY VALUE]',
  summary:
    "lists a home's contexts, or makes, renames, sets up, clears, archives or removes one; titles, tags, pins, colors or hides any conversation",
  flags: ['page', 'permanently', 'verbose'],
  options: [
    ['prompt NAME [TEXT]', 'its own system prompt, also from standard input; "" removes it'],
    ['tag KEY TAG', 'adds a tag; untag removes it; "skein list --tag TAG" finds it'],
    [
      'pin KEY',
      'keeps it at the top of the library; unpin no longer; "skein list --pinned" lists those',
    ],
    ['color KEY COLOR', `gives it a color: ${labelColors.join(', ')}; "none" takes it away`],
    [
      'hide KEY',
      'leaves it out of the library; "skein list --list hidden" has it, unhide shows it',
    ],
    ['set NAME KEY VALUE', 'a key of its local.toml, such as model or username; "" removes it'],
    ['current NAME', "makes it chibi's default context; Skein always takes a name"],
    ['--page', 'with clear: also saves earlier messages to transcript.md'],
    ['--permanently', 'with destroy: deletes for good instead of moving to the trash'],
    verboseOption,
  ],
  async run(context) {
    const { args } = context
    const root = args.roots.find((one) => one.writable)
    const [word, ...names] = args.operands
    if (isGivenChange(word, names.length) && !(await isContext(context, root, names[0]))) {
      refuseFlags(context, word)
      await giveToConversation(word, context, root?.path, names)
      return 0
    }
    if (root === undefined)
      throw new UsageError('"skein contexts" needs a home: --home, not --root.')
    if (word === undefined) {
      refuseFlags(context, undefined)
      return listContexts(context, root)
    }
    // Words that every object knows, such as toString, are none of ours.
    const chosen = Object.hasOwn(acts, word) ? acts[word] : undefined
    if (chosen === undefined)
      throw new UsageError(`"skein contexts" does not know "${word}"; it knows ${knownWords()}.`)
    const needed = chosen.takes.filter((one) => !one.startsWith('['))
    if (names.length < needed.length || names.length > chosen.takes.length)
      throw new UsageError(`It is "skein contexts ${word} ${chosen.takes.join(' ')}".`)
    refuseFlags(context, word)
    const [name = ''] = names
    const fault = word === 'new' ? contextNameFault(name) : undefined
    if (fault !== undefined) throw new UsageError(`"${name}": ${fault}`)
    const renamed = word === 'rename' ? names[1] : undefined
    await withVisit(context, root, { context: name, renamed }, (opened) =>
      chosen.act(context, opened, names),
    )
    return 0
  },
}

const knownWords = () => Object.keys(acts).join(', ')

/** Returns true where the home has a context of this name, which goes before anything else of the name. */
async function isContext(
  context: CommandContext,
  root: Root | undefined,
  name = '',
): Promise<boolean> {
  if (root === undefined) return false
  const found = await withHome(context, root, ({ home }) => home.contexts.find(name))
  return found !== undefined
}

/** An option that means nothing here is a mistake, not to be passed over: one of them deletes. */
function refuseFlags({ args }: CommandContext, word: string | undefined): void {
  for (const [flag, of] of [
    ['page', 'clear'],
    ['permanently', 'destroy'],
  ] as const)
    if (args.flags[flag] !== undefined && word !== of)
      throw new UsageError(`--${flag} belongs to "skein contexts ${of}".`)
}

async function create(
  { output }: CommandContext,
  { home }: NamedHome,
  [name = '']: readonly string[],
) {
  await home.contexts.create(name)
  output.say(`Created "${name}".`)
}

async function rename({ output }: CommandContext, { home }: NamedHome, names: readonly string[]) {
  const [from = '', to = ''] = names
  const fault = contextNameFault(to)
  if (fault !== undefined) throw new UsageError(`"${to}": ${fault}`)
  await home.contexts.rename(from, to)
  output.say(`Renamed "${from}" to "${to}".`)
}

async function setValue(
  context: CommandContext,
  { settings }: NamedHome,
  [name = '', key = '', value = '']: readonly string[],
) {
  const otherwise = 'What a person has to allow can be set in the window, or at a terminal.'
  const allow = askForSettings(terminalPermissions(terminalPerson(), otherwise))
  await setConfigValue(context, settings, allow, [name, key, value])
}

async function makeCurrent(
  { output }: CommandContext,
  { home }: NamedHome,
  [name = '']: readonly string[],
) {
  await home.contexts.makeCurrent(name)
  output.say(`"${name}" is now chibi's default context.`)
}

async function clear(context: CommandContext, { home }: NamedHome, [name = '']: readonly string[]) {
  const { cleared, messages } = await home.contexts.clear(name, {
    withPage: context.args.flags.page === true,
  })
  const held = countWithNoun(messages, 'message')
  context.output.say(
    cleared
      ? `The model starts fresh in "${name}". The transcript has the earlier ${held}.`
      : `The model already starts fresh in "${name}".`,
  )
}

async function archive(
  isArchived: boolean,
  { output }: CommandContext,
  { home }: NamedHome,
  [name = '']: readonly string[],
) {
  await home.contexts.setArchived(name, isArchived)
  output.say(`"${name}" is ${isArchived ? '' : 'not '}archived${isArchived ? '' : ' any more'}.`)
}

async function destroy(
  context: CommandContext,
  { home }: NamedHome,
  [name = '']: readonly string[],
) {
  const { args, disk, environment, output } = context
  if (args.flags.permanently === true) {
    let left: string | undefined
    await home.contexts.destroy(name, async (folder) => {
      left = await deleteFolder(disk, folder)
    })
    if (left !== undefined) throw new AppError('io', `"${name}" is gone; ${left}`)
    output.say(`"${name}" is deleted for good.`)
    return
  }
  let kept = ''
  await home.contexts.destroy(name, async (folder) => {
    const to = await moveToTrash(disk, folder, {
      platform: process.platform,
      user: environment.HOME ?? os.homedir(),
      data: environment.XDG_DATA_HOME,
      now: new Date(context.now?.() ?? Date.now()),
    })
    if (to === undefined)
      throw new AppError(
        'io',
        `"${name}" was not removed: no trash is available. --permanently deletes it for good.`,
      )
    kept = to
  })
  output.say(`"${name}" is in the trash: ${shownPath(kept)}`)
}

/** Undefined where all of it is deleted, else a sentence on what is left. @throws DiskError: it is there as before */
async function deleteFolder(disk: Disk, folder: string): Promise<string | undefined> {
  // Out of the way in one step: half of a context is none. A name that creations clear after a day.
  const aside = temporaryName(path.join(path.dirname(folder), '.skein-new'))
  await renameFile(disk, folder, aside)
  try {
    await removeTree(disk, aside)
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `what could not be deleted lies in ${shownPath(aside)}: ${why}.`
  }
}
