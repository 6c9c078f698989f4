export type { CompactionResult, CompactionStep } from './compaction/compact'
export { compactContext, type ManualCompaction } from './compaction/manual'
