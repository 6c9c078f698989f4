import { expect, it } from 'vitest'
import { isOwnScript } from '../../../../src/renderer/ui/behaviour/trusted-types'

const base = 'app://skein/index.html'

it('a script of the page’s own build is one by its whole address', () => {
  for (const own of [
    'app://skein/assets/find.worker-x1.js',
    './assets/a.js',
    'assets/a.js',
    '/assets/b/c.js',
  ])
    expect([own, isOwnScript(own, base)]).toEqual([own, true])
  for (const other of [
    ...['', '%', 'https://[', 'data:text/javascript,1', 'blob:app://skein/0a', 'javascript:1'],
    ...['https://evil.example/assets/a.js', '//evil.example/assets/a.js', 'file:///assets/a.js'],
    ...['app://other/assets/a.js', 'app://skein/audio/key/a.js', 'app://skein/assets-not/a.js'],
    ...['app://skein/assets/../audio/k/a.js', 'app://skein/assets/%2e%2e/audio/k/a.js'],
    ...['app://skein/assets/a.js?x', 'app://skein/assets/a.js#x', 'app://skein/assets/a.css'],
  ])
    expect([other, isOwnScript(other, base)]).toEqual([other, false])
})
