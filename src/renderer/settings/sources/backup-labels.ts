import { visibleText } from '../../../shared/model/basics/visible'
import type { RootBackup } from '../../../shared/model/settings/source-roots'
import { formatByteSize, formatQuantity } from '../../ui/format/format'

/** Says what a root's backup has; where it is off, what its system deletes. */
export function backupText(backup: RootBackup, system: string): string {
  const { isOn, isRunning, files, bytes, sharedBytes, earlier, gone, deletesAfterDays } = backup
  const offer =
    deletesAfterDays === null
      ? `Keeps copies of what ${system} deletes or rewrites.`
      : `${system} deletes conversations after ${formatQuantity(deletesAfterDays, 'day')}. A backup keeps them.`
  if (files === 0) return isRunning ? 'Copying files.' : isOn ? 'No files yet.' : offer
  const size = `${formatQuantity(files, 'file')}, ${formatByteSize(bytes)}`
  const shared =
    sharedBytes > 0 ? ` (${formatByteSize(sharedBytes)} shared with the originals)` : ''
  return [
    `${size}${shared}.`,
    ...(earlier > 0 ? [`${formatQuantity(earlier, 'earlier version')}.`] : []),
    ...(gone !== null && gone > 0 ? [`${formatQuantity(gone, 'file')} gone from ${system}.`] : []),
    ...(isOn ? [] : ['Nothing new is copied.']),
  ].join(' ')
}

/** Returns why not everything is backed up; undefined where all is. */
export function backupWarning({ isOn, problem }: RootBackup): string | undefined {
  return isOn && problem !== null
    ? `Not everything is backed up: ${visibleText(problem)}`
    : undefined
}
