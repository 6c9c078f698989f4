export { type BranchSummary, type LeftBranch, summarizeBranch } from './compaction/branch-summary'
export type { CompactionResult } from './compaction/compact'
export { compactContext, type ManualCompaction } from './compaction/manual'
export type { CompactionStep } from './compaction/plan-compaction'
