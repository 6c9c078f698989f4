import path from 'node:path'
import { shownPath } from '../../../main/disk/interface/shown-path'
import { nodeDisk } from '../../../main/disk/node/node-disk'
import {
  checkSnapshot,
  isEncryptedSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from '../../../main/library/snapshots'
import { skeinFolder } from '../../../main/settings/user-folders'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { textFlag, UsageError } from '../../command/arguments'
import type { Command, CommandContext } from '../../command/command'
import { jsonOutput, terminalText } from '../../terminal/output'
import { type PassphraseSources, readPassphrase } from './passphrase'

const nothing = () => undefined

/** Command `skein snapshot`. */
export const snapshotCommand: Command = {
  name: 'snapshot',
  synopsis: 'take FOLDER [--encrypt] | check FILE | restore FILE FOLDER',
  summary: 'writes a whole home into one dated, checked file, and makes a new folder of one',
  flags: ['encrypt', 'passphrase-file'],
  options: [
    ['take FOLDER', 'writes the home, and what Skein keeps of its own, into a new file there'],
    ['check FILE', 'reads a snapshot and compares the digest of each file in it'],
    [
      'restore FILE FOLDER',
      'writes all files of a snapshot into a new folder; never over anything',
    ],
    [
      '--encrypt',
      'with take: asks for a passphrase twice, and encrypts with it in the format of age',
    ],
    [
      '--passphrase-file FILE',
      'reads the passphrase from a file or pipe of one line, - is standard input, in place of asking at the terminal',
    ],
  ],
  async run(context) {
    const [act, first, second, ...more] = context.args.operands
    const count = act === 'restore' ? 2 : 1
    const given = [first, second].filter((one) => one !== undefined).length + more.length
    if ((act !== 'take' && act !== 'check' && act !== 'restore') || given !== count)
      throw new UsageError(
        '"skein snapshot" takes take FOLDER, check FILE, or restore FILE FOLDER.',
      )
    if (act !== 'take' && context.args.flags.encrypt === true)
      throw new UsageError('--encrypt is for "skein snapshot take".')
    const [from, to] = [path.resolve(first ?? ''), path.resolve(second ?? '')]
    if (act === 'take') return take(context, from)
    return act === 'check' ? check(context, from) : restore(context, from, to)
  },
}

async function take(context: CommandContext, folder: string): Promise<number> {
  const { args, environment, output, signal, now = Date.now } = context
  const deps = {
    disk: nodeDisk,
    home: namedHome(context),
    userFolder: skeinFolder(environment),
    roots: args.roots,
    now,
  }
  const isEncrypted = args.flags.encrypt === true
  if (!isEncrypted && textFlag(args, 'passphrase-file') !== undefined)
    throw new UsageError('--passphrase-file needs --encrypt here.')
  const encryption = isEncrypted
    ? {
        passphrase: await readPassphrase(passphraseSources(context), true),
        ...(context.workFactor === undefined ? {} : { workFactor: context.workFactor }),
      }
    : undefined
  const taken = await takeSnapshot(deps, folder, nothing, signal, encryption)
  for (const name of taken.leftOut)
    output.say(`${terminalText(name)} was left out: it is no file, or a link to nothing.`)
  await output.write(
    args.json
      ? jsonOutput(taken)
      : `${countWithNoun(taken.files, 'file')}, ${countWithNoun(taken.bytes, 'byte')}, ${isEncrypted ? 'encrypted' : 'written'} and read back: ${terminalText(shownPath(taken.file))}\n`,
  )
  return taken.leftOut.length === 0 ? 0 : 1
}

async function check(context: CommandContext, file: string): Promise<number> {
  const { args, output, signal } = context
  const passphrase = await passphraseOf(context, file)
  const found = await checkSnapshot(nodeDisk, file, nothing, signal, passphrase)
  await output.write(
    args.json
      ? jsonOutput(found)
      : `${countWithNoun(found.files, 'file')}, ${countWithNoun(found.bytes, 'byte')}: each is as it was.\n`,
  )
  return 0
}

async function restore(context: CommandContext, file: string, folder: string): Promise<number> {
  const { args, environment, output, signal } = context
  const passphrase = await passphraseOf(context, file)
  const homes = args.roots.flatMap((root) => (root.source === 'chibi' ? [root.path] : []))
  const inUse = { folders: [...homes, skeinFolder(environment)], roots: args.roots }
  const restored = await restoreSnapshot(nodeDisk, file, folder, inUse, nothing, signal, passphrase)
  const home = path.join(folder, 'home')
  await output.write(
    args.json
      ? jsonOutput({ ...restored, home, own: path.join(folder, 'skein') })
      : `${countWithNoun(restored.files, 'file')}, ${countWithNoun(restored.bytes, 'byte')}. Open it with --home ${terminalText(shownPath(home))}\n`,
  )
  return 0
}

function passphraseSources(context: CommandContext): PassphraseSources {
  const file = textFlag(context.args, 'passphrase-file')
  return {
    ...context,
    disk: nodeDisk,
    file: file === undefined || file === '-' ? file : path.resolve(file),
  }
}

/** Undefined for a plain snapshot where no passphrase is named: where one is, a plain one is refused. */
async function passphraseOf(context: CommandContext, file: string): Promise<string | undefined> {
  const isEncrypted = await isEncryptedSnapshot(nodeDisk, file)
  if (!isEncrypted && textFlag(context.args, 'passphrase-file') === undefined) return undefined
  return readPassphrase(passphraseSources(context), false)
}

/** @throws UsageError where several homes are named, or none that is written to */
function namedHome({ args }: CommandContext): string {
  const [home, ...others] = args.roots.filter(({ source }) => source === 'chibi')
  if (home === undefined || others.length > 0)
    throw new UsageError('"skein snapshot take" needs one home: --home FOLDER.')
  return home.path
}
