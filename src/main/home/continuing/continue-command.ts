import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { allowGaps } from '../../../shared/model/conversation/reading'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { ContinuableSource } from '../../../shared/model/export'
import type { Disk } from '../../disk/interface/disk'
import type { History } from '../../library/sources/histories'
import type { ConversationFact } from '../../readers/common/reader'
import { inFolder, shellWord } from './shell-words'

type WordsFor = (of: { readonly key: string; readonly file: string }) => readonly string[]

/** The command of each program; the last word names the session. */
const programs: Readonly<Record<ContinuableSource, WordsFor>> = {
  'claude-code': ({ file }) => ['claude', '--resume', path.basename(file, '.jsonl')],
  codex: ({ key }) => ['codex', 'resume', key],
  pi: ({ file }) => ['pi', '--session', file],
  opencode: ({ key }) => ['opencode', '-s', key],
}

/** Ids as these programs give them; one that begins with a dash would be an option. */
const plainId = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

/**
 * Makes the command by which a conversation's own program goes on with it, in the project's folder, quoted for the shell of the
 * platform. Reads the beginning of the conversation; runs nothing.
 *
 * @throws AppError `bad-argument` another system's, a backup's, a subagent's, an id or a folder that no command can safely have; `not-found`
 */
export async function continueCommand(
  { reader, ref, backup }: Pick<History, 'reader' | 'ref' | 'backup'>,
  disk: Disk,
  platform: NodeJS.Platform,
  signal: AbortSignal,
): Promise<string> {
  const { root, key } = ref
  const label = sourceLabel(ref.source)
  const { data: source } = ContinuableSource.safeParse(ref.source)
  if (source === undefined)
    throw new AppError(
      'bad-argument',
      `No command goes on with a conversation of ${label}. An export as a session does: pi, Claude Code, Codex or OpenCode.`,
    )
  if (backup !== undefined)
    throw new AppError(
      'bad-argument',
      `${label} does not have this conversation: it is in Skein's backup alone. An export as a session gives it back.`,
    )
  const fact = await headIn(reader.read(ref, disk, signal), key)
  if (fact === undefined)
    throw new AppError('not-found', `There is no conversation "${key}" any more.`)
  if (fact.subagentOf !== undefined)
    throw new AppError(
      'bad-argument',
      `${label} goes on with the session that called this subagent, not with the subagent.`,
    )
  const file = path.join(root, ref.files[0]?.file ?? '')
  const folder = fact.project !== null && path.isAbsolute(fact.project) ? fact.project : undefined
  // Claude Code looks for the session below the folder that it runs in, and nowhere else.
  if (folder === undefined && source === 'claude-code')
    throw new AppError('bad-argument', 'The conversation does not say in which folder it was.')
  return programCommand(source, { key, file, folder }, platform)
}

/** A session as its program is told of it. */
interface ToldSession {
  readonly key: string
  /** Absolute. */
  readonly file: string
  /** Undefined where it is not known. */
  readonly folder: string | undefined
}

/**
 * Returns the command by which a program goes on with a session.
 *
 * @throws AppError `bad-argument` an id or a name that no command can safely have
 */
export function programCommand(
  source: ContinuableSource,
  { key, file, folder }: ToldSession,
  platform: NodeJS.Platform,
): string {
  const words = programs[source]({ key, file })
  const [id = ''] = words.slice(-1)
  if (source !== 'pi' && !plainId.test(id))
    throw new AppError('bad-argument', `"${id}" is no id that ${sourceLabel(source)} gives.`)
  const command = words.map((word) => shellWord(word, platform)).join(' ')
  return folder === undefined ? command : inFolder(folder, command, platform)
}

type Facts = ReturnType<History['reader']['read']>

async function headIn(facts: Facts, key: string): Promise<ConversationFact | undefined> {
  for await (const fact of allowGaps(facts, () => undefined))
    if (fact.type === 'conversation' && fact.conversation.key === key) return fact.conversation
  return undefined
}
