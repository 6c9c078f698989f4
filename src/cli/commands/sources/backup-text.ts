import { shownPath } from '../../../main/disk/interface/shown-path'
import type { BackupCheck, BackupDone, BackupSize } from '../../../main/library/backups'
import type { BackupRule } from '../../../main/readers/known/backup-rule'
import { formatByteSize } from '../../../shared/model/basics/byte-size'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import type { SourceRoot } from '../../../shared/model/settings/source-roots'
import type { CommandContext } from '../../command/command'
import { jsonOutput, terminalText } from '../../terminal/output'

/** The backup of a root, with what was just done where something was. */
export interface BackupState
  extends SourceRoot,
    BackupSize,
    Partial<Pick<BackupDone, 'copied' | 'changed' | 'gone' | 'failed'>> {
  readonly isOn: boolean
  readonly deletes: BackupRule['deletes']
}

/** Prints backups, one a line, or as JSON. */
export async function writeBackups(
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
  states: readonly BackupState[],
): Promise<void> {
  if (args.json) await output.write(jsonOutput({ backups: states.map(asJson) }))
  else for (const state of states) await output.write(terminalText(textOf(state)))
}

function asJson({ source, path, isOn, deletes, ...numbers }: BackupState): object {
  return {
    source,
    label: sourceLabel(source),
    path,
    isOn,
    deletesAfterDays: deletes?.afterDays ?? null,
    ...numbers,
  }
}

function textOf(state: BackupState): string {
  const { source, path, isOn, deletes, files, bytes, sharedBytes, earlier } = state
  const words = [
    sourceLabel(source).padEnd(15),
    isOn ? 'on ' : 'off',
    countWithNoun(files, 'file').padStart(11),
    formatByteSize(bytes).padStart(9),
    shownPath(path),
  ]
  const lines = [words.join('  ')]
  if (sharedBytes > 0)
    lines.push(
      `${indent}${formatByteSize(sharedBytes)} of it share the disk's blocks with the originals.`,
    )
  if (earlier > 0)
    lines.push(`${indent}${countWithNoun(earlier, 'file is', 'files are')} earlier versions.`)
  if (state.copied !== undefined) lines.push(`${indent}${doneWords(state)}`)
  if (!isOn && deletes !== undefined)
    lines.push(
      `${indent}${sourceLabel(source)} deletes conversations after ${deletes.afterDays} days (${deletes.setting}): "skein backup on ${source}" keeps them.`,
    )
  return `${lines.join('\n')}\n`
}

function doneWords({ copied = 0, changed = 0, gone = 0 }: BackupState): string {
  const news =
    copied + changed === 0 ? 'Nothing new' : `${copied} new, ${changed} changed since the last time`
  return gone === 0
    ? `${news}.`
    : `${news}; ${countWithNoun(gone, 'file')} of the backup ${gone === 1 ? 'is' : 'are'} no longer there.`
}

const indent = '    '

/** Returns the result of checks as text, or as JSON. */
export function checkText(
  { args }: Pick<CommandContext, 'args'>,
  checked: readonly (SourceRoot & BackupCheck)[],
): string {
  if (args.json) return jsonOutput({ backups: checked })
  return terminalText(
    checked
      .flatMap(({ source, path, files, broken }) => [
        `${sourceLabel(source).padEnd(15)}  ${countWithNoun(files, 'file')}, ${broken.length === 0 ? 'every seal holds' : `${countWithNoun(broken.length, 'seal')} broken`}  ${shownPath(path)}`,
        ...broken.map(({ file, fault }) => `${indent}${fault.toUpperCase()}  ${shownPath(file)}`),
      ])
      .map((line) => `${line}\n`)
      .join(''),
  )
}
