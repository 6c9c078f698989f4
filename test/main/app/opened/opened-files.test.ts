import { expect, it } from 'vitest'
import { openedFiles } from '../../../../src/main/app/opened/opened-files'

it('holds files until they are taken, each once, and says that some came', () => {
  let came = 0
  const files = openedFiles()
  // Those that come before anybody hears wait all the same.
  files.receive(['/a'])
  files.hear(() => {
    came += 1
  })
  files.receive([])
  files.receive(['/b', '/a'])

  expect(came).toBe(1)
  expect(files.isWaiting).toBe(true)
  expect(files.take()).toEqual(['/a', '/b'])
  expect(files.isWaiting).toBe(false)
  expect(files.take()).toEqual([])
})
