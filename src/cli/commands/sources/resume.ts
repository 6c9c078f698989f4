import { continueCommand } from '../../../main/home/continuing/continue-command'
import { backupReasonOf } from '../../../main/library/backups'
import { UsageError } from '../../command/arguments'
import type { Command } from '../../command/command'
import { findRef } from '../../conversations/find'
import { jsonOutput } from '../../terminal/output'

/** Command `skein resume`. */
export const resumeCommand: Command = {
  name: 'resume',
  synopsis: 'KEY',
  summary:
    'prints the command by which Claude Code, Codex, pi or OpenCode goes on with its own conversation, in its folder; runs nothing',
  flags: [],
  async run({ args, disk, output, signal }) {
    const [key, ...more] = args.operands
    if (key === undefined || more.length > 0)
      throw new UsageError('"skein resume" needs one KEY; "skein list" prints keys.')
    const listed = await findRef(key, args, disk, signal, output.say)
    const backup = await backupReasonOf(disk, listed.root, listed.ref)
    const command = await continueCommand({ ...listed, backup }, disk, process.platform, signal)
    const { source } = listed.ref
    await output.write(
      args.json ? jsonOutput({ source, key: listed.ref.key, command }) : `${command}\n`,
    )
    return 0
  },
}
