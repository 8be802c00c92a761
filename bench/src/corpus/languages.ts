const simplified = [
  '本合同自双方签字之日起生效，有效期为三年。',
  '甲方应当在每月十日之前支付上个月的租金。',
  '房屋的维修费用由出租人承担，但因承租人使用不当造成的损坏除外。',
  '双方发生争议时，应首先通过友好协商解决。',
  '今天的会议讨论了明年的预算和人员安排。',
];
const traditional = [
  '本合約自雙方簽字之日起生效，有效期間為三年。',
  '甲方應於每月十日之前支付上個月的租金。',
  '房屋的維修費用由出租人負擔，但因承租人使用不當造成的損壞除外。',
  '雙方發生爭議時，應先以友好協商的方式解決。',
];
const japanese = [
  '本契約は署名の日から効力を生じ、有効期間は三年とする。',
  '借主は毎月十日までに前月分の賃料を支払うものとする。',
  'カタカナの言葉やひらがなの言葉も、この文書には含まれています。',
  '会議では来年度の予算と人員の配置について話し合いました。',
];
const korean = [
  '이 계약은 서명한 날부터 효력이 발생하며 유효 기간은 삼 년으로 한다.',
  '임차인은 매월 십일까지 지난달의 임대료를 지급하여야 한다.',
  '오늘 회의에서는 내년 예산과 인력 배치에 대하여 논의하였다.',
  '분쟁이 발생하면 먼저 우호적인 협의로 해결한다.',
];

/** Sentences, and an encoding that is usual for them. */
export const sentences: readonly { encoding: string; lines: readonly string[] }[] = [
  { encoding: 'gb18030', lines: simplified },
  { encoding: 'big5', lines: traditional },
  { encoding: 'shift_jis', lines: japanese },
  { encoding: 'euc-jp', lines: japanese },
  { encoding: 'euc-kr', lines: korean },
  { encoding: 'utf16le', lines: simplified },
];
