/** The views over the middle pane. */
export { type CoveringView, coveringView } from './follow/follow-views'
