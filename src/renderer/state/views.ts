/** The views over the middle pane. */
export { coveringView } from './follow/follow-views'
