/** The advance widths of DejaVu Sans from space to tilde, in thousandths of the font size. Verdana's are alike. */
const widths = {
  regular: advances(
    "318,401,460,838,636,950,780,275,390,390,500,838,318,361,318,337,636,636,636,636,636,636,636,636,636,636,337,337,838,838,838,531,1000,684,686,698,770,632,575,775,752,295,295,656,557,863,748,787,603,787,695,635,611,732,684,989,685,611,685,390,337,390,838,500,500,613,635,550,635,615,352,635,634,278,278,579,278,974,634,612,635,635,411,521,392,634,592,818,592,592,525,636,337,636,838",
  ),
  bold: advances(
    "348,456,521,838,696,1002,872,306,457,457,523,838,380,415,380,365,696,696,696,696,696,696,696,696,696,696,400,400,838,838,838,580,1000,774,762,734,830,683,683,821,837,372,372,775,637,995,837,850,733,850,770,720,682,812,774,1103,771,724,725,457,365,457,838,500,500,675,716,593,716,678,435,716,712,343,343,665,343,1042,712,687,716,716,493,595,478,712,652,924,645,652,582,712,365,712,838",
  ),
};

/** Characters as wide as the font is high: East Asian scripts and pictures. */
const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60]/u;

/** The width of other letters, about that of the widest common ones. */
const otherWidth = 680;

/** The width of a text at a font size, without the font: exact for ASCII, close to it for other texts. */
export function textWidth(text: string, size: number, weight: keyof typeof widths): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    const known = widths[weight][character.codePointAt(0)! - 0x20];
    width += known ?? (wide.test(character) ? 1_000 : otherWidth);
  }
  return width * size / 1_000;
}

function advances(list: string): number[] {
  return list.split(",").map(Number);
}
