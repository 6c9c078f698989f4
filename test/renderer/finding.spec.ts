import { branches } from './browser/branches'
import { finding } from './browser/find'
import { keptSearches } from './browser/kept-searches'
import { landing } from './browser/landing'
import { familyMap } from './browser/map'
import { mapPainting } from './browser/map-painting'
import { outline } from './browser/outline'
import { queryCompletion } from './browser/query-completion'
import { searching } from './browser/search'
import { harnessOfFile } from './harness/serve'

// What is found, and ways to it: hits, branches, the map, the outline.
const harness = harnessOfFile()
branches(harness)
finding(harness)
keptSearches(harness)
landing(harness)
familyMap(harness)
mapPainting(harness)
outline(harness)
queryCompletion(harness)
searching(harness)
