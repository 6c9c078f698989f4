export { type AutomaticTitles, automaticTitles } from './titles/automatic'
export { openTitling, type Titling } from './titles/titling'
