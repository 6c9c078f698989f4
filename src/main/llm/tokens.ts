export { type MeasuredContextWindow, measureContextWindow } from './tokens/context-window-size'
export { openTokenizers } from './tokens/counter'
export {
  type AskTokens,
  openLocalCounter,
  type TokenAnswer,
  type TokenQuestion,
} from './tokens/questions'
export { draftTokens, totalTokens } from './tokens/request-size'
