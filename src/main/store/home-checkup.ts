// What is wrong with the files of a home, and its repair.

export { checkStore } from './checkup/check-home'
export { findingOf } from './checkup/finding-words'
export { brokenWords, type HomeFile, isBroken } from './checkup/home-files'
export { countOddItems, oddItemsWords } from './checkup/odd-items'
export { replaceBroken } from './checkup/repair-file'
export { type FailedRepair, type OnRepair, repairStore } from './checkup/repair-home'
