import { formatByteSize } from '../../shared/model/basics/byte-size'
import { countWithNoun } from '../../shared/model/basics/plural'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { SourceRoot } from '../../shared/model/settings/source-roots'
import type { NativeQuestion } from './question'
import { escapeInvisibleUpTo } from './question-text'

/** Returns the question whether the backup of another system's folder is deleted. */
export function deleteBackupQuestion(
  { source, path }: SourceRoot,
  { files, bytes }: { readonly files: number; readonly bytes: number },
): NativeQuestion {
  return {
    message: `Delete the backup of ${sourceLabel(source)}?`,
    detail: `${escapeInvisibleUpTo(path, 1000)}\n\n${countWithNoun(files, 'file')}, ${formatByteSize(bytes)}. What ${sourceLabel(source)} has deleted is in this backup alone, and is lost with it.`,
    refusal: 'Cancel',
    answers: ['Delete Backup'],
    isGrave: true,
  }
}
