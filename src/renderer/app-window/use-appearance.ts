import { useLayoutEffect } from 'react'
import { useSettings, useStores } from '../state/context'
import { useMedia } from '../ui/behaviour/hooks'

/** Theme, contrast, density and text zoom, on the root element. */
export function useAppearance(): void {
  const preferences = useSettings(({ view }) => view?.preferences)
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const wantsContrast = useMedia('(prefers-contrast: more)')
  const {
    theme = 'system',
    contrast = 'system',
    density = 'comfortable',
    textZoom = 1,
  } = preferences ?? {}
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset.theme = theme === 'system' ? (isDark ? 'dark' : 'light') : theme
    root.dataset.contrast =
      contrast === 'more' || (contrast === 'system' && wantsContrast) ? 'more' : 'normal'
    root.dataset.density = density
    root.style.setProperty('--text-zoom', String(textZoom))
  }, [theme, contrast, density, textZoom, isDark, wantsContrast])
}

/** Tells the layout how much room there is, in pixels of text at its usual size. */
export function useAppWindowWidth(): void {
  const { layout } = useStores()
  const textZoom = useSettings(({ view }) => view?.preferences.textZoom ?? 1)
  useLayoutEffect(() => {
    const follow = () => layout.getState().setWindowWidth(window.innerWidth, textZoom)
    follow()
    window.addEventListener('resize', follow)
    return () => window.removeEventListener('resize', follow)
  }, [layout, textZoom])
}
