import { z } from 'zod'
import { isInTimeRange, type TimeRange } from '../../shared/model/basics/time-spec'
import type { Entry } from '../../shared/model/conversation/entry'
import { countedRole } from '../../shared/model/statistics/counted-role'
import { type Arguments, textFlag, UsageError, wordFlag } from '../command/arguments'

/** The options that `entryFilter` reads, for a command's own list. */
export const entryFlags = ['role', 'tools', 'system', 'provider', 'transport'] as const

/** The same for people. */
export const entryOptions = [
  ['--role ROLE', 'only user, agent, system or tool; several with commas'],
  [
    '--tools all|calls|none',
    'calls and results of tools, or calls alone, or none; all unless told',
  ],
  ['--system all|none', "the system's words; all unless told"],
  ['--provider P', 'only what was spoken or heard through this provider'],
  ['--transport T', 'only what was spoken or heard over this transport: local, speak-only, ...'],
] as const

const roles = ['user', 'agent', 'system', 'tool'] as const

/** Facts of a spoken exchange, where its source keeps them. */
const Speech = z.object({
  provider: z.string().optional().catch(undefined),
  transport: z.string().optional().catch(undefined),
})

/** How an entry was spoken or heard; undefined for written ones. */
function speechOf(entry: Pick<Entry, 'metadata'>): z.infer<typeof Speech> | undefined {
  const speech = entry.metadata?.speech
  return speech === undefined ? undefined : Speech.safeParse(speech).data
}

/**
 * Makes the filter of the entries that the options select.
 *
 * @param times entries without a time are not in any
 * @throws UsageError
 */
export function entryFilter(args: Arguments, times?: TimeRange): (entry: Entry) => boolean {
  const wanted = rolesOf(args)
  const tools = wordOrAll(args, 'tools', ['all', 'calls', 'none'])
  const system = wordOrAll(args, 'system', ['all', 'none'])
  const provider = textFlag(args, 'provider')
  const transport = textFlag(args, 'transport')
  return (entry) => {
    const role = countedRole(entry)
    if (wanted !== undefined && !wanted.includes(role)) return false
    if (tools !== 'all' && entry.entry_type === 'tool_result') return false
    if (tools === 'none' && role === 'tool') return false
    if (system === 'none' && role === 'system') return false
    if (provider !== undefined && speechOf(entry)?.provider !== provider) return false
    if (transport !== undefined && speechOf(entry)?.transport !== transport) return false
    return (
      times === undefined || (entry.timestamp !== null && isInTimeRange(entry.timestamp, times))
    )
  }
}

/**
 * Reads the roles of `--role`, where `assistant` means `agent`; undefined where it is not given.
 *
 * @throws UsageError
 */
export function rolesOf(args: Arguments): readonly string[] | undefined {
  const names = textFlag(args, 'role')
    ?.split(',')
    .map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^assistant$/, 'agent'),
    )
  const unknown = names?.find((name) => !(roles as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new UsageError(`--role is one of ${roles.join(', ')}, not "${unknown}".`)
  return names
}

/** An option without a value asks for all. */
function wordOrAll<Word extends string>(
  args: Arguments,
  name: string,
  words: readonly ('all' | Word)[],
): 'all' | Word {
  return args.flags[name] === '' ? 'all' : (wordFlag(args, name, words) ?? 'all')
}
