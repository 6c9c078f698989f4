export { automaticTitles } from './titles/automatic'
export { openTitling, type Titled, type Titling } from './titles/titling'
