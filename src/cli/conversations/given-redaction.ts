import { readKeptPatterns } from '../../main/settings/stored/kept-patterns'
import { openSettingsFile } from '../../main/settings/stored/settings-file'
import { skeinFolder } from '../../main/settings/user-folders'
import { countWithNoun } from '../../shared/model/basics/plural'
import { Redaction, RedactionGroup, type RedactionReport } from '../../shared/model/redaction'
import { type Arguments, UsageError } from '../command/arguments'
import type { CommandContext } from '../command/command'

/**
 * Reads `--redact[=GROUP,...]` and `--redact-pattern`; undefined where neither is given. Patterns alone redact nothing else.
 *
 * @throws UsageError
 */
function redactionFlag({ flags }: Arguments): Redaction | undefined {
  const { redact } = flags
  const given = flags['redact-pattern']
  const patterns = Array.isArray(given) ? given : []
  if (redact === undefined && patterns.length === 0) return undefined
  const groups = redact === undefined ? [] : groupsOf(String(redact))
  const all = patterns.length === 0 ? groups : [...new Set([...groups, 'own' as const])]
  const redaction = Redaction.safeParse({ groups: all, patterns, kept: [] })
  if (redaction.success) return redaction.data
  throw new UsageError('--redact-pattern takes a text of 1 to 1000 characters, at most a hundred.')
}

/**
 * Reads what is redacted with the own patterns that are kept in Skein's settings: those belong to `--redact`, with the group `own` or
 * without groups.
 *
 * @throws UsageError, AppError `unreadable` where the kept ones are not known
 */
export async function redactionWithKept({
  args,
  disk,
  environment,
}: Pick<CommandContext, 'args' | 'disk' | 'environment'>): Promise<Redaction | undefined> {
  const given = redactionFlag(args)
  const { redact } = args.flags
  if (given === undefined || redact === undefined) return given
  if (!groupsOf(String(redact)).includes('own')) return given
  const kept = await readKeptPatterns(openSettingsFile(disk, skeinFolder(environment)))
  return { ...given, patterns: [...new Set([...kept, ...given.patterns])] }
}

function groupsOf(value: string): readonly RedactionGroup[] {
  if (value === '') return RedactionGroup.options
  return value.split(',').map((word) => {
    const group = RedactionGroup.safeParse(word)
    if (group.success) return group.data
    throw new UsageError(`--redact takes ${RedactionGroup.options.join(', ')}, not "${word}".`)
  })
}

/** Sums what was redacted, by kind, as `{places, kinds}`. */
export function sumRedacted(
  reports: readonly (RedactionReport | undefined)[],
): Pick<RedactionReport, 'places' | 'kinds'> {
  const kinds = new Map<string, RedactionReport['kinds'][number]>()
  let places = 0
  for (const report of reports) {
    places += report?.places ?? 0
    for (const one of report?.kinds ?? []) {
      const { different = 0, places: before = 0 } = kinds.get(one.kind) ?? {}
      kinds.set(one.kind, {
        ...one,
        different: different + one.different,
        places: before + one.places,
      })
    }
  }
  return { places, kinds: [...kinds.values()] }
}

/** Formats what is redacted as a sentence: "Redacted in 51 places: GitHub token 3, e-mail address 48." */
export function redactedSentence({
  places,
  kinds,
}: Pick<RedactionReport, 'places' | 'kinds'>): string {
  if (places === 0) return 'Nothing to redact was found.'
  const counts = kinds.map((one) => `${one.kind} ${one.places}`)
  return `Redacted in ${countWithNoun(places, 'place')}: ${counts.join(', ')}.`
}
