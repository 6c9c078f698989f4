import type { SourceId } from '../../../shared/model/conversation/sources'
import type { SourceFile, SourceRef } from './reader'

/** Makes the reference of a conversation that is one file, and so has its size and time. */
export function refOfFile(
  source: SourceId,
  root: string,
  key: string,
  file: SourceFile,
): SourceRef {
  const { bytes, mtimeMs: updatedAtMs } = file
  return { source, root, key, files: [file], bytes, updatedAtMs }
}
