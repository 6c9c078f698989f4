export { openTokenizers } from './tokens/counter'
export type { TokenAnswer, TokenQuestion } from './tokens/questions'
export { draftTokens, totalOf } from './tokens/request-size'
export { type SizeOfWindow, sizeOfWindow } from './window-size'
