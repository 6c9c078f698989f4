import { sleep } from '../../main/async/sleep'
import type { SourceRef } from '../../main/readers/common/reader'
import { countFlag, UsageError } from '../command/arguments'
import type { Command } from '../command/command'
import { entryFilter, entryFlags, entryOptions } from '../conversations/entry-filter'
import { rootsOfSource } from '../conversations/find'
import { entryFormatOptions, entryPrinter } from '../show/entry-text'
import { followEntries, sourceAndKey } from '../show/follow'
import { terminalText } from '../terminal/output'
import { oneLine } from '../terminal/shown-name'

const lastShown = 10

/** Command `skein tail`. */
export const tailCommand: Command = {
  name: 'tail',
  synopsis: '[--source SOURCE] [--last N] [--role ROLE] [--format F]',
  summary: 'prints the end of the newest conversation, then whatever comes into any of them',
  flags: ['source', 'last', 'format', 'max', ...entryFlags],
  options: [
    ['--source SOURCE', 'only conversations of this system, such as voicemode'],
    ['-n, --last N', `begins with the last N entries of the newest one; ${lastShown} by default`],
    ...entryOptions,
    ...entryFormatOptions,
  ],
  replaces:
    'voicemode exchanges tail: --source voicemode, --stt is --role user, --tts is --role agent',
  async run({ args, disk, output, signal, now, pause }) {
    if (args.operands.length > 0)
      throw new UsageError('"skein tail" takes no KEY; "skein show KEY --follow" follows one.')
    const last = countFlag(args, 'last') ?? lastShown
    const isWanted = entryFilter(args)
    const print = entryPrinter(args, output, disk)
    let shown = ''
    /** Says which conversation it is whenever that changes. */
    const introduce = (ref: SourceRef, title: string) => {
      if (shown === sourceAndKey(ref)) return
      shown = sourceAndKey(ref)
      output.say(terminalText(oneLine(`${title} (${shown})`)))
    }
    const arrivals = followEntries(
      {
        args: rootsOfSource(args),
        disk,
        signal,
        wanted: () => true,
        now: now?.() ?? Date.now(),
        pause: pause ?? sleep,
        note: output.say,
      },
      async (read) => {
        const newest = read.reduce<(typeof read)[number] | undefined>(
          (latest, one) =>
            (one.ref.updatedAtMs ?? 0) >= (latest?.ref.updatedAtMs ?? 0) ? one : latest,
          undefined,
        )
        if (newest === undefined || last === 0) return
        introduce(newest.ref, newest.conversation.title)
        for (const entry of newest.conversation.entries.filter(isWanted).slice(-last))
          await print(entry, newest.ref.root)
      },
    )
    for await (const { entry, conversation, ref } of arrivals) {
      if (!isWanted(entry)) continue
      introduce(ref, conversation.title)
      await print(entry, ref.root)
    }
    return 0
  },
}
