// What is wrong with the files of a home, and its repair.

export { checkStore } from './checkup/check-home'
export { findingOf } from './checkup/finding-words'
export { type FailedRepair, type OnRepair, repairStore } from './checkup/repair-home'
