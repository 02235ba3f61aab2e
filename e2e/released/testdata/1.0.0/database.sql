COPY account (id, organization_id, environment, name, currency, time_zone, created_at) FROM stdin;
01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	Fictional Shops	USD	America/New_York	2026-11-23 01:43:04.9+00
\.

COPY account_policy (account_id, rule_set_id, pricing_model_id) FROM stdin;
01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-34fb-7375-9f71-324a9bd95052	01a20612-3116-7666-b5b9-422207c9463d
\.

COPY business (id, account_id, legal_name, operating_name, established_date, industry_category_code, website, phone_number, email, address, no_persons_attested, version, erased_at, created_at, updated_at) FROM stdin;
01a20612-3534-7e79-a95a-b54cf8dfd8ee	01a20612-2fc4-7c39-b67d-7692fb9e23e9	Invented Orchards Ltd	Orchards	2001-02-28	{0742,5967}	https://orchards.example	+1 555 0100	office@orchards.example	{"city": "Portland", "line1": "1 Nowhere Road", "line2": "Unit 2", "region": "OR", "country": "US", "postal_code": "97205"}	f	2	\N	2026-11-23 01:43:06.28+00	2026-11-23 01:43:06.28+00
01a20612-3548-74b1-a42a-08ee1ceeb1d5	01a20612-2fc4-7c39-b67d-7692fb9e23e9	Bare Ltd	\N	\N	{}	\N	\N	\N	\N	f	1	\N	2026-11-23 01:43:06.312+00	2026-11-23 01:43:06.312+00
01a20612-354d-7778-a40e-bd19d93ef42a	01a20612-2fc4-7c39-b67d-7692fb9e23e9	Nobody Ltd	\N	\N	{}	\N	\N	\N	\N	t	1	\N	2026-11-23 01:43:06.317+00	2026-11-23 01:43:06.317+00
01a20612-37ab-7ac6-8c5e-2a39896515c5	01a20612-2fc4-7c39-b67d-7692fb9e23e9	(erased)	\N	\N	{}	\N	\N	\N	\N	f	2	2026-11-23 01:43:06.997+00	2026-11-23 01:43:06.923+00	2026-11-23 01:43:06.997+00
\.

COPY credential (api_key, organization_id, environment, name, policy, policy_forced, permissions, secret_sealed, token_sha256, created_at, expires_at, last_used_at, revoked_at) FROM stdin;
sb_352JeimzRrwYk4zsb4Ras	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	back office	strict	f	{read,write,rules,keys,webhooks}	\\x01e7190047142c13e5a5a300cd8a29584b66ef4e5b0552a2b7cfad8970d2e922f1878f6c4bde1bf1ba0f2b057e05e0c5d2a65d6c1ae9873f10bd0bbbf2dfce1f9e4b4a26bbd839904490f87f2b63	\\x37dbefe629623729cca6fad7aad9c193d1a61da83892353e81ef101e63116b5d	2026-11-23 01:43:04.937+00	\N	2026-11-23 01:43:05.809+00	\N
sb_352JeiuOk4cViGwvxW8Sx	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	reporting	strict	f	{read}	\\x01e7190047f4b590ac81a9042a45c6f9bebd1adcf593fcac30e5668eee271e79ba51961d3136b028c281205ab6c463949f0e1e11e7e8d941497026229c2dc45ad963e75f900977bda289b40f0972	\\x1bcdf18f0dd8266d0d8b025da2abd9ff4eddcc5738a4eb4cba29dbd4111c6510	2026-11-23 01:43:05.013+00	2200-01-01 00:00:00+00	2026-11-23 01:43:11.23+00	\N
sb_352Jej1K6d8H3ORqsZSp6	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	trials	minimal	f	{read,write,rules,keys,webhooks}	\\x01e71900478d65f4e836ae68b84be83ee87a7a64e7e613fd8602bf2c13ee0c21d7e5ca29eff1c93df71b3412c9b8a6cddb4a2caa62f0348a1ad89f8a02a4c769948582fb5c6a16a87a61e2ec2ae7	\\x910291a8e2f836df28c517c584d90691936fbe782262a0e46cef14058c10b04e	2026-11-23 01:43:05.084+00	\N	2026-11-23 01:43:11.236+00	\N
sb_352Jej6ydOLacW7FwXZTP	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	former	strict	f	{read,write,rules,keys,webhooks}	\\x01e7190047aed59e4797077ccde0a433dc7f135a2cfcb7537010d59203052d487b9436e8c77b6e3019c97b8b3e8515bed6702606deeb41e69aa0e6592907880ddfa8782c1611d06e411e12baae0d	\\x8f43e9285c8e28b60daeb59467420e2674db513e83b5107c9cfce0ce0af3e9c9	2026-11-23 01:43:05.142+00	\N	\N	2026-11-23 01:43:05.188+00
\.

COPY event_epoch (number, cluster, tag) FROM stdin;
1	7711022375427189169/00000001	6383123719238931417
\.

COPY idempotency (organization_id, environment, operation, key, body_sha256, outcome, created_at) FROM stdin;
01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	business.create	orchards	\\xf722aa8319c85676dec1628cc8d9d8a12524d7658269b98a6f5b10a1df34bc94	{"data": {"person_ids": ["p_352JekvAl3l6Xn1F77D9X", "p_352JekvAl7h6t7SyuWhkW"], "business_id": "b_352Jekv53DRPfGqVH2n8Q", "sales_info_id": "bsi_352JekvAlCeYhxT40DbsV"}}	2026-11-23 01:43:06.28+00
01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	workflow.pricing.calculate	price	\\x3f4783b3e7eb0585bbbe3689bba602c3364c3f2be1bcd36e4ce3d5f16a16cbc6	{"data": {"evaluation_score": 600.375}}	2026-11-23 01:43:06.375+00
01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	workflow.requiredDocument.calculate	calculate	\\x3f4783b3e7eb0585bbbe3689bba602c3364c3f2be1bcd36e4ce3d5f16a16cbc6	{"data": {"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Jel9DP10CIJ5zzMSyM"}, {"status": "COMPLETED", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Jel9DP9tkthZiT7Ryr"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Jel9DPDntQrPvwUlYh"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Jel9DPHKLJvtJQelN0"}, {"status": "PENDING", "entity_id": "w_352JekyUMtCe1i22oqmMV", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Jel9DPJQ7mfYN9Fz6S"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Jel9DPQYjFl3iaIXBK"}, {"status": "PENDING", "entity_id": "p_352JekvAl3l6Xn1F77D9X", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPT1BdIV29bF0d"}], "removed": [{"status": "INACTIVE", "entity_id": "p_352JekvAl7h6t7SyuWhkW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPVWvPgUfQ1tC8"}]}}	2026-11-23 01:43:06.715+00
01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	workflow.requiredDocument.calculate	ended	\\xaf7e6c026f3d3acdba9eccca5f093554be5904cbf61bf085db82aa8768d5b46b	{"refusal": {"code": "SYSTEM_RULE_VIOLATION", "message": "The workflow has ended and accepts no further changes.", "sub_code": "WORKFLOW_ENDED", "entity_id": "w_352JelezebrdhQ3lNQGa2", "entity_type": "Workflow"}}	2026-11-23 01:43:06.893+00
01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	webhook.key.create	key	\\x32baeafad1af1434f64b78f026bb8882317077d8bcf42954d935583997e11f59	{"data": {"key_id": "whk_20261123_02", "status": "INACTIVE", "created_at": "2026-11-23T01:43:10.576Z"}}	2026-11-23 01:43:10.619+00
01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	webhook.key.activate	activate	\\x67d01ecd4b4c5bf06c85abe0efca3693f28bf002a37edb49511af17b22b0fd34	{"data": {"key_id": "whk_20261123_02", "status": "ACTIVE", "activated_at": "2026-11-23T01:43:10.697Z"}}	2026-11-23 01:43:10.697+00
\.

COPY nonce (api_key, nonce, expires_at) FROM stdin;
sb_352JeimzRrwYk4zsb4Ras	2V4CRJ22WOKMLLLZHCBSTPFDIG	2026-11-23 01:58:11.220138+00
sb_352JeimzRrwYk4zsb4Ras	2XC5SBJLTOQWQHQUKJOTWRNF2I	2026-11-23 01:58:11.160628+00
sb_352JeimzRrwYk4zsb4Ras	2XCV33YAED6WN5FEYIORDFXOCW	2026-11-23 01:58:11.343528+00
sb_352JeimzRrwYk4zsb4Ras	32HJ5DNVGSQ5FE6KZGDDR35IIT	2026-11-23 01:58:11.802443+00
sb_352JeimzRrwYk4zsb4Ras	342SGVZRGENCBPOAGMFI5JVNRN	2026-11-23 01:58:06.339379+00
sb_352JeimzRrwYk4zsb4Ras	35RQA7QM2MPFC34ZAFOWCUKG4Y	2026-11-23 01:58:10.074084+00
sb_352JeimzRrwYk4zsb4Ras	3GEQAVABRC5JHE46EAUBRFZFKT	2026-11-23 01:58:11.635191+00
sb_352JeimzRrwYk4zsb4Ras	3HC3QVXQHWVIYMFCLUZ2XPLBS6	2026-11-23 01:58:11.678108+00
sb_352JeimzRrwYk4zsb4Ras	3PIO7IFLPOO3Z7RATLEZB6KTKB	2026-11-23 01:58:06.195263+00
sb_352JeimzRrwYk4zsb4Ras	3QJ4RHNAHZ2NCE7YTJKCQOYRJF	2026-11-23 01:58:11.892647+00
sb_352JeimzRrwYk4zsb4Ras	3S75IFE5LRKGTB3QB3YMUNKT65	2026-11-23 01:58:11.87598+00
sb_352JeimzRrwYk4zsb4Ras	3VYFMBHOMYUVUDUQ4AHIKVVY3F	2026-11-23 01:58:06.15867+00
sb_352JeimzRrwYk4zsb4Ras	434VBNLMNETM4R4GKD4RJUDUK4	2026-11-23 01:58:11.694097+00
sb_352JeimzRrwYk4zsb4Ras	45DRM2LEVH43KFSK2TSOIKTBIH	2026-11-23 01:58:10.517132+00
sb_352JeimzRrwYk4zsb4Ras	4DUMURKXNWRPYH5IB6DHD5ZIWT	2026-11-23 01:58:11.533869+00
sb_352JeimzRrwYk4zsb4Ras	4SHJBV7AE3P3X5CAN7ISQZXXLL	2026-11-23 01:58:11.642572+00
sb_352JeimzRrwYk4zsb4Ras	4SN4OTKUX234EKBPITBXX65Z37	2026-11-23 01:58:11.849066+00
sb_352JeimzRrwYk4zsb4Ras	53IMT4DXOUYJQP46KLFKNZHQHF	2026-11-23 01:58:06.550798+00
sb_352JeimzRrwYk4zsb4Ras	5DOLYUN2Z6RBEL32XJRWRW4FPD	2026-11-23 01:58:06.164673+00
sb_352JeimzRrwYk4zsb4Ras	5HNAINVRECONYCN6LNQV53LZLR	2026-11-23 01:58:11.691703+00
sb_352JeimzRrwYk4zsb4Ras	66LG4GUBJBOMOIVTL4QUHR27D5	2026-11-23 01:58:05.948766+00
sb_352JeimzRrwYk4zsb4Ras	6DGCYTZP223Y27PN7TJBUSUSZH	2026-11-23 01:58:11.60808+00
sb_352JeimzRrwYk4zsb4Ras	6GLBDTRJOYSN4KKS4UZYGIIPDU	2026-11-23 01:58:10.092164+00
sb_352JeimzRrwYk4zsb4Ras	6GY4S43SWIOET2SD2QIMCGXR6T	2026-11-23 01:58:11.60033+00
sb_352JeimzRrwYk4zsb4Ras	6I6BEKI6K6OABTIMM6XCP3SQLP	2026-11-23 01:58:11.799793+00
sb_352JeimzRrwYk4zsb4Ras	6IKWQ5STKHBEZT4VC2C4GCYZ2A	2026-11-23 01:58:11.367202+00
sb_352JeimzRrwYk4zsb4Ras	6JLN6NEKFQW3NE36OIT3TUPZBV	2026-11-23 01:58:06.854581+00
sb_352JeimzRrwYk4zsb4Ras	6Q7ZT76SDJ6ZTNOOOITSDFLRI5	2026-11-23 01:58:10.48644+00
sb_352JeimzRrwYk4zsb4Ras	6UX7YM5ZC5XNNMQFTOWDPCNAUG	2026-11-23 01:58:11.784516+00
sb_352JeimzRrwYk4zsb4Ras	7CQSTPMNXZSHHMOEUMDGAL35XR	2026-11-23 01:58:11.592013+00
sb_352JeimzRrwYk4zsb4Ras	7DGNMP5C7YVUU35VLR7VOSNM5X	2026-11-23 01:58:11.76094+00
sb_352JeimzRrwYk4zsb4Ras	7FHWUJYVPSLJEGNT22RQIORXYX	2026-11-23 01:58:11.259688+00
sb_352JeimzRrwYk4zsb4Ras	7HBHMT5EU5UOIHYQ2Y3XQDKWUE	2026-11-23 01:58:06.310735+00
sb_352JeimzRrwYk4zsb4Ras	7KRMKUVXYB7FQ2PCYGMA6IVANI	2026-11-23 01:58:11.205991+00
sb_352JeimzRrwYk4zsb4Ras	7P2K7FQCLTB2TXOG7UNNCH3VXY	2026-11-23 01:58:11.650013+00
sb_352JeimzRrwYk4zsb4Ras	7PYKUTOEGJLILCFNRIOZVVXEM2	2026-11-23 01:58:11.884203+00
sb_352JeimzRrwYk4zsb4Ras	A5LQEDP2IMOMI6YG6Y2IMKH5GD	2026-11-23 01:58:06.676219+00
sb_352JeimzRrwYk4zsb4Ras	A6SAAUZB4EGTUZNWSKENJGRU2M	2026-11-23 01:58:11.662032+00
sb_352JeimzRrwYk4zsb4Ras	ADJZC6MMCFDHLHHTNLBYBXBSMH	2026-11-23 01:58:10.084171+00
sb_352JeimzRrwYk4zsb4Ras	AELKSP7MC636JN3MPOWAHI2NQO	2026-11-23 01:58:11.224293+00
sb_352JeimzRrwYk4zsb4Ras	ALFC3U22JEBZADWNI43F7WF4S6	2026-11-23 01:58:11.199936+00
sb_352JeimzRrwYk4zsb4Ras	AYYHAD7FRFGX4WR4SPDCTGDYYE	2026-11-23 01:58:11.41759+00
sb_352JeimzRrwYk4zsb4Ras	B672OKBWDPOJ37GU75NFHATHTP	2026-11-23 01:58:11.816817+00
sb_352JeimzRrwYk4zsb4Ras	B73MXIILUCGFWBYEMQXK4TUAXH	2026-11-23 01:58:11.842821+00
sb_352JeimzRrwYk4zsb4Ras	B7ILUCJMSRZKJYSN5RZHILXX2Z	2026-11-23 01:58:10.12443+00
sb_352JeimzRrwYk4zsb4Ras	BAMNFAU7QYIW4JCZ7V4EFBFLBB	2026-11-23 01:58:11.611817+00
sb_352JeimzRrwYk4zsb4Ras	BC4AQIHG6JCOYX7V2HPTSKNKYS	2026-11-23 01:58:10.37811+00
sb_352JeimzRrwYk4zsb4Ras	BEL5IRRGHWPCXA2P6LUWXHDK2D	2026-11-23 01:58:06.128706+00
sb_352JeimzRrwYk4zsb4Ras	BFKB6F7TA7HBTIADOE4BNEWZGB	2026-11-23 01:58:10.818024+00
sb_352JeimzRrwYk4zsb4Ras	BFVGFY2YQQVR4L2Y2FOXZMDUTG	2026-11-23 01:58:11.745038+00
sb_352JeimzRrwYk4zsb4Ras	BG3PZBXKSTHO6QTFPRY4IRLM7J	2026-11-23 01:58:10.349627+00
sb_352JeimzRrwYk4zsb4Ras	BGNRJC4AXRRPPFSBSQ4KXSHIY2	2026-11-23 01:58:10.269572+00
sb_352JeimzRrwYk4zsb4Ras	BKPZUBLGPZIEYMVX5TGHAZGFLP	2026-11-23 01:58:11.2421+00
sb_352JeimzRrwYk4zsb4Ras	BLXHLAXEP4ZTU2YPCOO4R3C423	2026-11-23 01:58:11.776031+00
sb_352JeimzRrwYk4zsb4Ras	BNX6XOQPSJVMMGO5PR5POBRABF	2026-11-23 01:58:06.571399+00
sb_352JeimzRrwYk4zsb4Ras	BQS6PYZIHB3KUOK4PKYZUV4CXF	2026-11-23 01:58:11.245364+00
sb_352JeimzRrwYk4zsb4Ras	BRH5Z45CPCJWFD3FPKNG4O4ZAT	2026-11-23 01:58:11.142786+00
sb_352JeimzRrwYk4zsb4Ras	BRXLE7LZ5BIJOCNJIUXSCVADI5	2026-11-23 01:58:11.729234+00
sb_352JeimzRrwYk4zsb4Ras	BTHS73VJDHOVDYDLZFRWKGQCIN	2026-11-23 01:58:11.193327+00
sb_352JeimzRrwYk4zsb4Ras	CKIB7C3R3N5U7EOPYMYDFUPE33	2026-11-23 01:58:06.117994+00
sb_352JeimzRrwYk4zsb4Ras	DBAS7NJLE277CM63AL3QC2OM5L	2026-11-23 01:58:11.406666+00
sb_352JeimzRrwYk4zsb4Ras	DVIGILZMFQP3ZMDKROPVBXBAXE	2026-11-23 01:58:10.925397+00
sb_352JeimzRrwYk4zsb4Ras	DZQN7MWA42T3EAFZ7Y7DJRHX6W	2026-11-23 01:58:11.821333+00
sb_352JeimzRrwYk4zsb4Ras	E2FV2ZZVTM57BA2M6TQT2LCNMT	2026-11-23 01:58:11.188157+00
sb_352JeimzRrwYk4zsb4Ras	E3HDQWXSJQMSYMHDTI3ASVOMSL	2026-11-23 01:58:11.616068+00
sb_352JeimzRrwYk4zsb4Ras	EBE6OFSIT5C2CQ3LJLXRFCGOBY	2026-11-23 01:58:11.548054+00
sb_352JeimzRrwYk4zsb4Ras	EBMSUYE7V35FMUZIAYR5M3IYSB	2026-11-23 01:58:11.422106+00
sb_352JeimzRrwYk4zsb4Ras	EDG2UFSDLC7NKYEAZEA7TKOAA2	2026-11-23 01:58:06.539084+00
sb_352JeimzRrwYk4zsb4Ras	EEQCII645RBPJCGM7TOKP22XOQ	2026-11-23 01:58:10.851026+00
sb_352JeimzRrwYk4zsb4Ras	EMWFOQ3HCRFNNO5YK6ZV3ARCSY	2026-11-23 01:58:10.095261+00
sb_352JeimzRrwYk4zsb4Ras	FFQCM5UZJKRPIXZNLN25P37NDB	2026-11-23 01:58:05.799641+00
sb_352JeimzRrwYk4zsb4Ras	FLPMAULKY7UNOS3RW6QMQKZW2F	2026-11-23 01:58:11.541243+00
sb_352JeimzRrwYk4zsb4Ras	FULZMLZFSI6UARL65T6RUR2LLR	2026-11-23 01:58:06.315232+00
sb_352JeimzRrwYk4zsb4Ras	FYSAHUMUMHQPTPL3G4ODSXKBZ4	2026-11-23 01:58:11.753946+00
sb_352JeimzRrwYk4zsb4Ras	GCRKA5UCTPCZTRXCSXGLHYJNKS	2026-11-23 01:58:10.980961+00
sb_352JeimzRrwYk4zsb4Ras	GGGZMUV2M77XSCH5OPKE6TU7GH	2026-11-23 01:58:11.298869+00
sb_352JeimzRrwYk4zsb4Ras	GMOEKWVCDGVFYSONA5H7GV7VLW	2026-11-23 01:58:11.411828+00
sb_352JeimzRrwYk4zsb4Ras	GX54ALJTW6SH65WFMA2DSYESVE	2026-11-23 01:58:11.321037+00
sb_352JeimzRrwYk4zsb4Ras	H3WTRSRTERRYT2BPWZ552PJZ4D	2026-11-23 01:58:06.502145+00
sb_352JeimzRrwYk4zsb4Ras	H4V27N3KWUGWKN62L7HHBN3IRW	2026-11-23 01:58:11.1485+00
sb_352JeimzRrwYk4zsb4Ras	HEWWKVFCIIVT52BZON3QQLKE4B	2026-11-23 01:58:11.261665+00
sb_352JeimzRrwYk4zsb4Ras	HFVMIWZ6RPE6Y6376LPO5DMKXI	2026-11-23 01:58:10.05959+00
sb_352JeimzRrwYk4zsb4Ras	HOFNF2IJBK65GT27M7SXSLPRUX	2026-11-23 01:58:11.794666+00
sb_352JeimzRrwYk4zsb4Ras	HQ3PNZW2GZ5DOSXZYQW4QN5GMB	2026-11-23 01:58:11.686119+00
sb_352JeimzRrwYk4zsb4Ras	HTUEUENVEQFTDBDACGF3OSADLG	2026-11-23 01:58:10.070036+00
sb_352JeimzRrwYk4zsb4Ras	HXUQO457B5C4MTLFDHAP2PN3ES	2026-11-23 01:58:10.398327+00
sb_352JeimzRrwYk4zsb4Ras	I7BJGD6OWB76DC4HRX3SHFWY72	2026-11-23 01:58:10.8271+00
sb_352JeimzRrwYk4zsb4Ras	I7Y3Y5G7VUMDOBY7PHAO75ILIG	2026-11-23 01:58:06.140285+00
sb_352JeimzRrwYk4zsb4Ras	ICXEVUHQNKBJKLL72EIA4IJO2T	2026-11-23 01:58:06.395084+00
sb_352JeimzRrwYk4zsb4Ras	IJCQ5RQYDPH4WAQBSJSTEZR3I7	2026-11-23 01:58:11.879657+00
sb_352JeimzRrwYk4zsb4Ras	ITLEZFYVFLG3ZK62ZOFRFHQJCY	2026-11-23 01:58:11.789762+00
sb_352JeimzRrwYk4zsb4Ras	IXCGTSEGBO4RRBQXEVKHIBDD6K	2026-11-23 01:58:11.735601+00
sb_352JeimzRrwYk4zsb4Ras	IZTZEQWUP6NTRB3NS4XTF7ZWWP	2026-11-23 01:58:11.621695+00
sb_352JeimzRrwYk4zsb4Ras	J6BKNLEZVGXQCUTKWJ4PIRDGK5	2026-11-23 01:58:11.749657+00
sb_352JeimzRrwYk4zsb4Ras	J6TVLPAISVUMCBDESQANF7J2WQ	2026-11-23 01:58:11.646542+00
sb_352JeimzRrwYk4zsb4Ras	JB6VWPNCIO63TFXGO33CNB6IJT	2026-11-23 01:58:11.255704+00
sb_352JeimzRrwYk4zsb4Ras	JBSQ2YP3764DQPZBMAARI7EM2U	2026-11-23 01:58:11.170898+00
sb_352JeimzRrwYk4zsb4Ras	JEB37UW2TAABMMQMLACSXWUNNO	2026-11-23 01:58:10.078531+00
sb_352JeimzRrwYk4zsb4Ras	JGNZQ3HJAJYSD5CLBY6L6NGYLR	2026-11-23 01:58:11.683281+00
sb_352JeimzRrwYk4zsb4Ras	JVRLZ7FSMC6WMRV7LVWL5PN547	2026-11-23 01:58:11.308594+00
sb_352JeimzRrwYk4zsb4Ras	JXR3Z2VZHCLSZAP6DK53NWCBFO	2026-11-23 01:58:11.808872+00
sb_352JeimzRrwYk4zsb4Ras	KFAGCZF6LRL7JKU3C2VCE5R6LJ	2026-11-23 01:58:11.787412+00
sb_352JeimzRrwYk4zsb4Ras	KHCLM3GH3TBQ7GHKA27WC45UHO	2026-11-23 01:58:11.897041+00
sb_352JeimzRrwYk4zsb4Ras	KJQ4KDFEYIBJRZ4RVJ6DQNFCQY	2026-11-23 01:58:11.410147+00
sb_352JeimzRrwYk4zsb4Ras	LTTT6AI2F3LFWJ5SKS6AWDQKGT	2026-11-23 01:58:11.560959+00
sb_352JeimzRrwYk4zsb4Ras	LX2C43MB7DI2NVB2RL37WLLF5F	2026-11-23 01:58:11.627561+00
sb_352JeimzRrwYk4zsb4Ras	M57737FEJSPSYWEADTZC6MW4Q7	2026-11-23 01:58:11.288656+00
sb_352JeimzRrwYk4zsb4Ras	M77EWBK7FSTX3QPLXKHDIKSML4	2026-11-23 01:58:11.277973+00
sb_352JeimzRrwYk4zsb4Ras	MDC7KQWLUHJIPBAACTPGGVDPMP	2026-11-23 01:58:10.300143+00
sb_352JeimzRrwYk4zsb4Ras	MIIGPSG4PARDFI7L5BB7MS732Y	2026-11-23 01:58:06.928422+00
sb_352JeimzRrwYk4zsb4Ras	ML7LKF2UKQOI3Z246PYUU6VSV5	2026-11-23 01:58:06.767337+00
sb_352JeimzRrwYk4zsb4Ras	MS4H4G47EEC6RV2R6JP6XTFCRS	2026-11-23 01:58:11.81483+00
sb_352JeimzRrwYk4zsb4Ras	NBC2OMXJ663YN6FJOF6LI3QSIE	2026-11-23 01:58:06.521312+00
sb_352JeimzRrwYk4zsb4Ras	NF42ZSSOCEILI4GJ43W2UJ6BLK	2026-11-23 01:58:06.508261+00
sb_352JeimzRrwYk4zsb4Ras	NLLU3VX3Z6LO6HDJKFHZIHS6VM	2026-11-23 01:58:11.586269+00
sb_352JeimzRrwYk4zsb4Ras	NQWOCUCEGUCFTGCI5EQUMHVLK4	2026-11-23 01:58:11.270005+00
sb_352JeimzRrwYk4zsb4Ras	O2A2JH2EBL4Z7SHATMZDU47PH6	2026-11-23 01:58:06.73752+00
sb_352JeimzRrwYk4zsb4Ras	O7YACK7YYLYXLIHNL53PYKLNEK	2026-11-23 01:58:11.414549+00
sb_352JeimzRrwYk4zsb4Ras	OJJOB5CPSEIUV2DWXPVA7LXB7G	2026-11-23 01:58:06.621165+00
sb_352JeimzRrwYk4zsb4Ras	OQ3TU5UH2YBOWMR5JQBPPRQU55	2026-11-23 01:58:10.784455+00
sb_352JeimzRrwYk4zsb4Ras	P3JJVCL7VFVRQ3S4RJCGSN57IV	2026-11-23 01:58:06.253677+00
sb_352JeimzRrwYk4zsb4Ras	P6HSFNCPY3FIHWXSDRLHPM5KFZ	2026-11-23 01:58:11.652188+00
sb_352JeimzRrwYk4zsb4Ras	PGGJOSTRYAL27YQIZRQUJRMM7Y	2026-11-23 01:58:06.322801+00
sb_352JeimzRrwYk4zsb4Ras	PLJ5JTV3JWD2H26I2OY3V4QPAI	2026-11-23 01:58:10.876188+00
sb_352JeimzRrwYk4zsb4Ras	PSWZYBHERXWG5K2ZZRMMOUOCGF	2026-11-23 01:58:11.62982+00
sb_352JeimzRrwYk4zsb4Ras	PUN646A5CXNLZKQ7JZFLQ6SSYX	2026-11-23 01:58:11.672454+00
sb_352JeimzRrwYk4zsb4Ras	PVJP66KZU6D2SQOYW7HUUPJGDW	2026-11-23 01:58:11.867517+00
sb_352JeimzRrwYk4zsb4Ras	Q5DQAZL2AGZWAKJLXZDOE5M745	2026-11-23 01:58:11.293516+00
sb_352JeimzRrwYk4zsb4Ras	Q6J4YY357AZWL6F4A44LUVREOE	2026-11-23 01:58:11.792321+00
sb_352JeimzRrwYk4zsb4Ras	QABXOWLMOYXHPXDLLRLV7WDL5P	2026-11-23 01:58:10.051683+00
sb_352JeimzRrwYk4zsb4Ras	QCOUWKGDSTAKTWPM4H6ABR232E	2026-11-23 01:58:06.804394+00
sb_352JeimzRrwYk4zsb4Ras	QDQDO3LO4DXO7SEETYMSWZ2MRN	2026-11-23 01:58:11.713919+00
sb_352JeimzRrwYk4zsb4Ras	QECRLJQLMTKCR2IYND3QED4BGU	2026-11-23 01:58:10.66659+00
sb_352JeimzRrwYk4zsb4Ras	QPFZUZ7IEYSGPNVDZDEELFPRAN	2026-11-23 01:58:10.552227+00
sb_352JeimzRrwYk4zsb4Ras	RSJYUXEBZXVSJ434TNAG3IETXP	2026-11-23 01:58:11.604474+00
sb_352JeimzRrwYk4zsb4Ras	RU5PGSKBC4RHFMGUWPS5I5RA3M	2026-11-23 01:58:11.717939+00
sb_352JeimzRrwYk4zsb4Ras	RWXILI6P6CWVOTLV5ITFHCIPH3	2026-11-23 01:58:10.066068+00
sb_352JeimzRrwYk4zsb4Ras	SBJIRLWZOFH6K7FQQ25HKMDNEX	2026-11-23 01:58:11.17939+00
sb_352JeimzRrwYk4zsb4Ras	SEIFYCF26H34MORU5XOXKFNGEC	2026-11-23 01:58:11.389215+00
sb_352JeimzRrwYk4zsb4Ras	SFQFZFM3AXHFPHSOFDQZK45FYO	2026-11-23 01:58:11.552386+00
sb_352JeimzRrwYk4zsb4Ras	SJ4YYVF6IBZEO7GTL45GDQ6XS4	2026-11-23 01:58:11.382805+00
sb_352JeimzRrwYk4zsb4Ras	SLRKKHBLWKI44WU3LBACA3LX7E	2026-11-23 01:58:11.351283+00
sb_352JeimzRrwYk4zsb4Ras	T3T6XKMWDCAGIYNLZSFWOEMH3S	2026-11-23 01:58:11.625098+00
sb_352JeimzRrwYk4zsb4Ras	TPICRN6L57ARKHWFVPMAEJPTSH	2026-11-23 01:58:11.373627+00
sb_352JeimzRrwYk4zsb4Ras	TTWNRDKOTYLTE2LOUGQM4ZRH3A	2026-11-23 01:58:11.702754+00
sb_352JeimzRrwYk4zsb4Ras	U6RILBTIBGNI447QMMXOCU36EB	2026-11-23 01:58:11.588532+00
sb_352JeimzRrwYk4zsb4Ras	UCQOYGTJMHW26EJ7X62A5A2ZM3	2026-11-23 01:58:06.074487+00
sb_352JeimzRrwYk4zsb4Ras	UGY3EOBE5SAUYBRFKM6HSPFE3G	2026-11-23 01:58:11.402497+00
sb_352JeimzRrwYk4zsb4Ras	UVNI3H5QBFFFTLIXCZ4J56ZKUF	2026-11-23 01:58:11.22722+00
sb_352JeimzRrwYk4zsb4Ras	UWGFCWSOFDJRW2E226PH7SXQKY	2026-11-23 01:58:06.169441+00
sb_352JeimzRrwYk4zsb4Ras	UXKGQ2LZNWY3WMNJIDJMPHVYYR	2026-11-23 01:58:10.098699+00
sb_352JeimzRrwYk4zsb4Ras	VDOYYNIFO43MKX37TNWV335ECM	2026-11-23 01:58:10.324646+00
sb_352JeimzRrwYk4zsb4Ras	VMHEX2WWF4DHG7PR7SRKGULBKM	2026-11-23 01:58:10.127985+00
sb_352JeimzRrwYk4zsb4Ras	VVT72VP2CHYOQMOOJEBKSSJQGI	2026-11-23 01:58:10.950373+00
sb_352JeimzRrwYk4zsb4Ras	VYOPZMZHLF3FQKK5PECEXGI6JK	2026-11-23 01:58:11.76671+00
sb_352JeimzRrwYk4zsb4Ras	WD37ENGU5A5WEV5QW3UGLDMBJM	2026-11-23 01:58:11.860158+00
sb_352JeimzRrwYk4zsb4Ras	WNRZO4EYQFL4E2PYJ5UK4KWHYO	2026-11-23 01:58:11.303244+00
sb_352JeimzRrwYk4zsb4Ras	WOQBN52VWAZD3FFFHQOF2PJG35	2026-11-23 01:58:10.273937+00
sb_352JeimzRrwYk4zsb4Ras	WQ4376KDRJJZ2RER2M4GPJRD46	2026-11-23 01:58:11.480376+00
sb_352JeimzRrwYk4zsb4Ras	XGHJLXEK6N4D2KOHDSHBDYJLBJ	2026-11-23 01:58:11.581865+00
sb_352JeimzRrwYk4zsb4Ras	XJ6IBKK7S5P23SFEWAX7XCGX4K	2026-11-23 01:58:10.460694+00
sb_352JeimzRrwYk4zsb4Ras	XMD2SMC7SNLBKXVTCOX3CGAULN	2026-11-23 01:58:11.657591+00
sb_352JeimzRrwYk4zsb4Ras	XNOPT6ZYPUJ26FQFSX55ENZ754	2026-11-23 01:58:06.917502+00
sb_352JeimzRrwYk4zsb4Ras	XTEHOQWXZ56XBSCVPTN6BWZ4ZT	2026-11-23 01:58:11.70852+00
sb_352JeimzRrwYk4zsb4Ras	XU3FKBGCEZJJT4KH4JOMZT4NRP	2026-11-23 01:58:10.901465+00
sb_352JeimzRrwYk4zsb4Ras	XVQ5W7SW2JMISEWPOTIDXHH3BX	2026-11-23 01:58:10.047109+00
sb_352JeimzRrwYk4zsb4Ras	Y3EHOC2URZH36BNYE2RA4VH77E	2026-11-23 01:58:06.211796+00
sb_352JeimzRrwYk4zsb4Ras	Y7MW3UAG5KXMGWR6OJRBOYKXSG	2026-11-23 01:58:06.8698+00
sb_352JeimzRrwYk4zsb4Ras	YEKYTPKTO5KETMF5JLJEXX2UHM	2026-11-23 01:58:10.040533+00
sb_352JeimzRrwYk4zsb4Ras	YFDUBCVSF377NX2WREGYMKVZVS	2026-11-23 01:58:11.567452+00
sb_352JeimzRrwYk4zsb4Ras	YINWVQSYI6TDLFDBGZNLHOFOQM	2026-11-23 01:58:06.761447+00
sb_352JeimzRrwYk4zsb4Ras	YIU7FDYCOQYM7LPTL5UOIFIRA7	2026-11-23 01:58:06.75053+00
sb_352JeimzRrwYk4zsb4Ras	YK5DHEEAPJ24PEIHDOTCSGV6IC	2026-11-23 01:58:11.632699+00
sb_352JeimzRrwYk4zsb4Ras	YKZKUREAWKY3OLMKLVI4L6GXX3	2026-11-23 01:58:11.210109+00
sb_352JeimzRrwYk4zsb4Ras	YNEH7JYW2K2P7XAO6VDQJZBE4S	2026-11-23 01:58:11.797258+00
sb_352JeimzRrwYk4zsb4Ras	YOX4YP7GM52AHPI7AL3YM4TEGL	2026-11-23 01:58:11.370249+00
sb_352JeimzRrwYk4zsb4Ras	YW3LH22PVM64SXB4IM3TEFXCCV	2026-11-23 01:58:11.312983+00
sb_352JeimzRrwYk4zsb4Ras	Z6S75VMNZZ234KOV6NZQAC7JBG	2026-11-23 01:58:11.21493+00
sb_352JeimzRrwYk4zsb4Ras	ZCNOOHEJHXOKXSJTU5LILR5TH7	2026-11-23 01:58:11.239703+00
sb_352JeimzRrwYk4zsb4Ras	ZLTZMPDVR46WFWE3RD4MRSIRFU	2026-11-23 01:58:11.574942+00
sb_352JeimzRrwYk4zsb4Ras	ZLXN4ATWGHKLDRTRRT3DH4X3HF	2026-11-23 01:58:11.386023+00
sb_352JeimzRrwYk4zsb4Ras	ZRAKPU6NU2AIQXXPHFRBSFE77Z	2026-11-23 01:58:11.871642+00
sb_352JeimzRrwYk4zsb4Ras	ZU3B6ZTYWPG2JRTIPMFMBHW2OI	2026-11-23 01:58:11.66833+00
sb_352JeimzRrwYk4zsb4Ras	ZUCMU47TQG4NAO47OCBMN7EGY3	2026-11-23 01:58:11.856633+00
sb_352JeimzRrwYk4zsb4Ras	ZUH5UMEGWE5JZP65FHS4Z6QXR3	2026-11-23 01:58:11.329186+00
sb_352JeimzRrwYk4zsb4Ras	ZYQNS6BAXDX2HC6JZUDGCVV5GY	2026-11-23 01:58:11.251909+00
sb_352JeiuOk4cViGwvxW8Sx	EWHHR27ATTBFSACA6UBNI2GD4F	2026-11-23 01:58:11.238374+00
sb_352JeiuOk4cViGwvxW8Sx	HOLMQLVYJVASTYMTU2JCBCS2WP	2026-11-23 01:58:11.229633+00
sb_352Jej1K6d8H3ORqsZSp6	ABNYUFQRCDUAXMIYT5ORNHYZIW	2026-11-23 01:58:11.233017+00
\.

COPY organization (id, name, created_at) FROM stdin;
01a20612-2f99-77fe-adef-3d94b201f8b3	Fictional Acquirer	2026-11-23 01:43:04.857+00
\.

COPY person (id, business_id, first_name, last_name, citizenship, ownership_percentage, date_of_birth, email, created_at, updated_at) FROM stdin;
01a20612-3535-7037-a0e9-8aa6ec32fd9b	01a20612-3534-7e79-a95a-b54cf8dfd8ee	Ada	Unreal	DE	33.33	1980-02-29	ada@orchards.example	2026-11-23 01:43:06.28+00	2026-11-23 01:43:06.28+00
01a20612-3535-7042-bafe-edf61565be70	01a20612-3534-7e79-a95a-b54cf8dfd8ee	Bo	Imagined	US	66.67	\N	\N	2026-11-23 01:43:06.28+00	2026-11-23 01:43:06.574+00
\.

COPY pricing_model (id, account_id, version, content, content_sha256, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20612-3116-7666-b5b9-422207c9463d	01a20612-2fc4-7c39-b67d-7692fb9e23e9	1	{"base":500.25,"rules":[{"name":"five years","when":"business_age_years >= 5","points":100.125},{"name":"high volume","when":"average_yearly_credit_sales > 1000000","points":-40},{"name":"known trade","when":"industry_category_code.exists(c, c == \\"5411\\")","points":30}]}	\\xb7ccfb98f755854a260f78076d9454574aca5c798f5f09a169fd5be934a4b7e6	1	500000	2026-11-23 01:43:05.229+00	Priya
\.

COPY required_document (id, workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, previous_status, reasons, created_at, updated_at) FROM stdin;
01a20612-35c5-7eb4-987f-38fef830064e	01a20612-3557-7563-85c1-7b7eb0301ef3	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_352Jekv53DRPfGqVH2n8Q	NEEDS_REVIEW	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.509+00
01a20612-35c5-7ecd-b0d5-e198e161ef81	01a20612-3557-7563-85c1-7b7eb0301ef3	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_352Jekv53DRPfGqVH2n8Q	COMPLETED	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.542+00
01a20612-35c5-7ed8-b529-9c8114b86773	01a20612-3557-7563-85c1-7b7eb0301ef3	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.433+00
01a20612-35c5-7ee2-a595-256291561b8e	01a20612-3557-7563-85c1-7b7eb0301ef3	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.433+00
01a20612-35c5-7ee8-8d3a-df92dd9d09bc	01a20612-3557-7563-85c1-7b7eb0301ef3	REVIEW	Review	RISK	A review by two persons.	Workflow	w_352JekyUMtCe1i22oqmMV	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.433+00
01a20612-35c5-7efc-b084-38e9892cfab2	01a20612-3557-7563-85c1-7b7eb0301ef3	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_352JekvAl3l6Xn1F77D9X": {"ownership_percentage": 33.33}, "p_352JekvAl7h6t7SyuWhkW": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_352JekvAl3l6Xn1F77D9X is 33.33, at least 25; and the ownership percentage of person p_352JekvAl7h6t7SyuWhkW is 66.67, at least 25.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.433+00
01a20612-35c5-7f03-a049-3a662a7d7b4b	01a20612-3557-7563-85c1-7b7eb0301ef3	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352JekvAl3l6Xn1F77D9X	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352JekvAl3l6Xn1F77D9X": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_352JekvAl3l6Xn1F77D9X is DE, not US; and the ownership percentage of person p_352JekvAl3l6Xn1F77D9X is 33.33, at least 25.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.433+00
01a20612-35c5-7f0a-b644-778866a211c4	01a20612-3557-7563-85c1-7b7eb0301ef3	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352JekvAl7h6t7SyuWhkW	INACTIVE	NEEDS_REVIEW	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352JekvAl7h6t7SyuWhkW": {"citizenship": "NO", "ownership_percentage": 66.67}}}, "message": "Passport: required because the citizenship of person p_352JekvAl7h6t7SyuWhkW is NO, not US; and the ownership percentage of person p_352JekvAl7h6t7SyuWhkW is 66.67, at least 25.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.715+00
01a20612-3752-7b3f-b22e-60d6853a5b39	01a20612-370b-7e02-a463-48766d5b627a	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.831+00
01a20612-3752-7b5d-8c25-99c85ffb074b	01a20612-370b-7e02-a463-48766d5b627a	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.831+00
01a20612-3752-7b68-90eb-55a7d519a132	01a20612-370b-7e02-a463-48766d5b627a	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.831+00
01a20612-3752-7b72-b62d-9b300455a78f	01a20612-370b-7e02-a463-48766d5b627a	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.831+00
01a20612-3752-7b7a-a54a-9d1b62d448f2	01a20612-370b-7e02-a463-48766d5b627a	REVIEW	Review	RISK	A review by two persons.	Workflow	w_352JelezebrdhQ3lNQGa2	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.831+00
01a20612-3752-7b8b-ad9e-d03d8527e844	01a20612-370b-7e02-a463-48766d5b627a	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_352Jekv53DRPfGqVH2n8Q	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_352JekvAl3l6Xn1F77D9X": {"ownership_percentage": 33.33}, "p_352JekvAl7h6t7SyuWhkW": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_352JekvAl3l6Xn1F77D9X is 33.33, at least 25; and the ownership percentage of person p_352JekvAl7h6t7SyuWhkW is 66.67, at least 25.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.831+00
01a20612-3752-7b92-842f-2f3a98cbe43f	01a20612-370b-7e02-a463-48766d5b627a	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_352JekvAl3l6Xn1F77D9X	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_352JekvAl3l6Xn1F77D9X": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_352JekvAl3l6Xn1F77D9X is DE, not US; and the ownership percentage of person p_352JekvAl3l6Xn1F77D9X is 33.33, at least 25.", "version_id": "rul_352JekpWIQ7XWWDIJuhXu"}]	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.831+00
\.

COPY rule_set (id, account_id, version, content, content_sha256, comment, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a20612-34db-71a9-9c7a-1db0b537503f	01a20612-2fc4-7c39-b67d-7692fb9e23e9	1	{"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"}]}	\\x8478d1389811e11dddd8c8456460dbeea27f3558198675f38e8d625a8eb5cda0	\N	1	500000	2026-11-23 01:43:06.198+00	back office
01a20612-34fb-7375-9f71-324a9bd95052	01a20612-2fc4-7c39-b67d-7692fb9e23e9	2	{"lists":{"high_risk":["7995","5967"]},"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"},{"document_type_code":"BANK_STATEMENTS","name":"Bank statements","category":"FINANCIAL","requirement_text":"Three most recent statements.","entity_type":"Business","when":"average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},{"document_type_code":"YEARLY_ACCOUNTS","name":"Yearly accounts","category":"FINANCIAL","requirement_text":"The last yearly accounts.","entity_type":"Business","when":"average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")"},{"document_type_code":"PRICE_LIST","name":"Price list","category":"TRADE","requirement_text":"What is sold, at which price.","entity_type":"Business","when":"average_individual_sale < 20 || highest_ticket_sale >= 5000"},{"document_type_code":"BUSINESS_PLAN","name":"Business plan","category":"TRADE","requirement_text":"A plan of the first year.","entity_type":"Business","when":"business_age_months < 6 || business_age_years == 0"},{"document_type_code":"REVIEW","name":"Review","category":"RISK","requirement_text":"A review by two persons.","entity_type":"Workflow","when":"evaluation_score <= 640"},{"document_type_code":"OWNERSHIP_CHART","name":"Ownership","category":"IDENTITY","requirement_text":"Who owns what.","entity_type":"Business","when":"size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},{"document_type_code":"PASSPORT","name":"Passport","category":"IDENTITY","requirement_text":"The photo page.","entity_type":"Person","when":"person.citizenship != \\"US\\" && person.ownership_percentage >= 25"}],"examples":[{"name":"nobody abroad","facts":{"as_of":"2026-01-01","evaluation_score":700,"average_monthly_credit_sales":1,"average_yearly_credit_sales":12,"average_individual_sale":50,"highest_ticket_sale":60,"established_date":"2001-01-01","industry_category_code":["5411"],"persons":[{"person_id":"p1","citizenship":"US","ownership_percentage":100}]},"expect":{"documents":[{"document_type_code":"REGISTRATION"}]}}]}	\\xb0a639b8168699e53f8aa9039668c14c34fc7e16da650643ed836017f88ce1ad	all facts	1	500000	2026-11-23 01:43:06.229+00	back office
\.

COPY run_outcome (run_id, organization_id, environment, outcome, created_at) FROM stdin;
01a20612-335d-74a7-a20e-2cb9ebf66ad9	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"key_id": "whk_20261123_01", "status": "INACTIVE", "created_at": "2026-11-23T01:43:05.821Z"}	2026-11-23 01:43:05.873+00
01a20612-33eb-733c-8adf-630ac9814a86	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"key_id": "whk_20261123_01", "status": "ACTIVE", "activated_at": "2026-11-23T01:43:05.997Z"}	2026-11-23 01:43:05.997+00
01a20612-356b-711f-b5fe-95ef2746c56f	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"evaluation_score": 600.375}	2026-11-23 01:43:06.375+00
01a20612-35a2-7622-bf51-6da444a698af	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Jel9DP10CIJ5zzMSyM"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Jel9DP9tkthZiT7Ryr"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Jel9DPDntQrPvwUlYh"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Jel9DPHKLJvtJQelN0"}, {"status": "PENDING", "entity_id": "w_352JekyUMtCe1i22oqmMV", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Jel9DPJQ7mfYN9Fz6S"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Jel9DPQYjFl3iaIXBK"}, {"status": "PENDING", "entity_id": "p_352JekvAl3l6Xn1F77D9X", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPT1BdIV29bF0d"}, {"status": "PENDING", "entity_id": "p_352JekvAl7h6t7SyuWhkW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPVWvPgUfQ1tC8"}]}	2026-11-23 01:43:06.433+00
01a20612-3693-7f29-bc77-501b655771dd	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"evaluation_score": 600.375}	2026-11-23 01:43:06.663+00
01a20612-36c4-7dd7-84fb-c983fe35af52	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Jel9DP10CIJ5zzMSyM"}, {"status": "COMPLETED", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Jel9DP9tkthZiT7Ryr"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Jel9DPDntQrPvwUlYh"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Jel9DPHKLJvtJQelN0"}, {"status": "PENDING", "entity_id": "w_352JekyUMtCe1i22oqmMV", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Jel9DPJQ7mfYN9Fz6S"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Jel9DPQYjFl3iaIXBK"}, {"status": "PENDING", "entity_id": "p_352JekvAl3l6Xn1F77D9X", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPT1BdIV29bF0d"}], "removed": [{"status": "INACTIVE", "entity_id": "p_352JekvAl7h6t7SyuWhkW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPVWvPgUfQ1tC8"}]}	2026-11-23 01:43:06.715+00
01a20612-3712-79da-b6ba-e71388270a7a	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"evaluation_score": 600.375}	2026-11-23 01:43:06.784+00
01a20612-373a-701a-a5a8-6105a2b75eea	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352JelluhEEMNUO4Olrab"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352JelluhOoSNkPpFRzxL"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352JelluhSidHsKZGR2tG"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352JelluhWJcR3OMLbJxH"}, {"status": "PENDING", "entity_id": "w_352JelezebrdhQ3lNQGa2", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352JelluhZ800IftkG1bu"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352JelluhfALvrcuYrCuC"}, {"status": "PENDING", "entity_id": "p_352JekvAl3l6Xn1F77D9X", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jelluhhae8w2aCbaff"}]}	2026-11-23 01:43:06.831+00
01a20612-4432-7de4-adc8-fd03a03e5873	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"count": 10}	2026-11-23 01:43:10.243+00
01a20612-4432-7de4-adc8-fd03a03e5873/0	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"at": "2026-11-23T01:43:10.156Z", "count": 5}	2026-11-23 01:43:10.143+00
01a20612-4432-7de4-adc8-fd03a03e5873/1	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"count": 5}	2026-11-23 01:43:10.159+00
01a20612-4432-7de4-adc8-fd03a03e5873/2	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"count": 0}	2026-11-23 01:43:10.195+00
01a20612-45f0-77a6-b68f-7c2de7da4cfc	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"key_id": "whk_20261123_02", "status": "INACTIVE", "created_at": "2026-11-23T01:43:10.576Z"}	2026-11-23 01:43:10.619+00
01a20612-465a-797e-b6b5-c8583955d8f3	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"key_id": "whk_20261123_02", "status": "ACTIVE", "activated_at": "2026-11-23T01:43:10.697Z"}	2026-11-23 01:43:10.697+00
01a20612-46cd-734b-b13c-76dc0b4c9b67	01a20612-2f99-77fe-adef-3d94b201f8b3	sandbox	{"key_id": "whk_20261123_03", "status": "INACTIVE", "created_at": "2026-11-23T01:43:10.797Z"}	2026-11-23 01:43:10.803+00
\.

COPY sales_amount (sales_info_id, type, value, currency, position) FROM stdin;
01a20612-3535-7050-b80a-8539eeffaf9f	AVERAGE_INDIVIDUAL_SALE	19.99	USD	0
01a20612-3535-7050-b80a-8539eeffaf9f	AVERAGE_MONTHLY_CREDIT_SALES	60000.00	USD	1
01a20612-3535-7050-b80a-8539eeffaf9f	AVERAGE_YEARLY_CREDIT_SALES	720000.50	USD	2
01a20612-3535-7050-b80a-8539eeffaf9f	HIGHEST_TICKET_SALE	9999999999999.99	USD	3
\.

COPY sales_info (id, business_id, created_at) FROM stdin;
01a20612-3535-7050-b80a-8539eeffaf9f	01a20612-3534-7e79-a95a-b54cf8dfd8ee	2026-11-23 01:43:06.28+00
\.

COPY schedule_success (schedule, at) FROM stdin;
prune	2026-11-23 01:43:04.618463+00
reconcile	2026-11-23 01:43:04.618463+00
\.

COPY webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, probe, epoch, workflow_id, run_id, activity_id) FROM stdin;
01a20612-34c2-77f3-afe2-6add6bd17396	1	01a20612-34b1-7af4-9a17-e53d1b093fa3	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.295+00	1	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3558-7684-a017-d6331f6ee10c	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.401+00	3	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3558-7688-b7bb-e0835f4b11a7	1	01a20612-34ab-7327-9b0a-061536d9ac0b	FAILED	whk_20261123_01	2026-11-23 01:43:06.401+00	5	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3558-76b6-a68a-65a9c1e3c438	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.401+00	1	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3558-76b8-96b9-756db82cdf42	1	01a20612-3499-784d-970a-d55bbcc291f2	FAILED	whk_20261123_01	2026-11-23 01:43:06.401+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3558-76b8-96b9-756db82cdf42	2	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.239+00	5	204	\N		127.0.0.1:41997	f	1	whc_352Jekfy7aFhc3yxGM8ck	d6c903a1-c464-44c3-aa11-2da04f110360	26
01a20612-358e-78e4-b1f1-6526da4a6b2d	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.401+00	4	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-35c6-7213-8d11-0992ea0285a9	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.474+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3611-7b60-b670-34657a545f0c	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.589+00	5	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3628-770b-a8f4-a52db5692bc1	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.589+00	5	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3632-74ab-97f1-8e9593ebb7f3	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.589+00	5	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3641-7a66-bf2d-95c43f4d46f8	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.589+00	5	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-36a9-76fa-bd3b-225934974ca8	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.668+00	1	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-36e1-766b-a133-2c1a663146e7	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.763+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-36f7-72ed-8b66-fcd96e86177f	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.763+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-36f7-72ee-8b66-bc77d6e7f76f	1	01a20612-34ab-7327-9b0a-061536d9ac0b	FAILED	whk_20261123_01	2026-11-23 01:43:06.763+00	1	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3706-7801-ae35-c99e498552ee	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.763+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3706-7805-abf4-af8cd255ff4b	1	01a20612-34ab-7327-9b0a-061536d9ac0b	FAILED	whk_20261123_01	2026-11-23 01:43:06.763+00	1	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3706-7834-8c47-cd746402b0d7	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.763+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3706-7835-acb1-1bf95b0b2277	1	01a20612-3499-784d-970a-d55bbcc291f2	FAILED	whk_20261123_01	2026-11-23 01:43:06.763+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3706-7835-acb1-1bf95b0b2277	2	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.239+00	2	204	\N		127.0.0.1:41997	f	1	whc_352Jekfy7aFhc3yxGM8ck	d6c903a1-c464-44c3-aa11-2da04f110360	26
01a20612-370c-75ce-bd9f-d56a528797c4	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.763+00	1	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-370c-75cf-8435-c893d4f83e47	1	01a20612-34ab-7327-9b0a-061536d9ac0b	FAILED	whk_20261123_01	2026-11-23 01:43:06.763+00	0	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-370c-75fc-a253-e86ee79ee6fd	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.795+00	2	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-370c-75fd-aa72-f5a45260d4b7	1	01a20612-3499-784d-970a-d55bbcc291f2	FAILED	whk_20261123_01	2026-11-23 01:43:06.763+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-370c-75fd-aa72-f5a45260d4b7	2	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.239+00	2	204	\N		127.0.0.1:41997	f	1	whc_352Jekfy7aFhc3yxGM8ck	d6c903a1-c464-44c3-aa11-2da04f110360	26
01a20612-3722-7289-b5ea-2db8fe6ec6df	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.824+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-3752-7daa-a62b-1072dfa4a5f9	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.856+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-376f-774e-9fdc-2e6926b3d155	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.882+00	3	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-376f-774e-9fdc-2e6926b3d155	2	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_02	2026-11-23 01:43:11.045+00	1	204	\N		127.0.0.1:41997	f	0	whc_352JekcwgqjLVZMKU8XAt	c60829b7-73b7-40fc-93cb-1448ca0dcaee	6
01a20612-376f-7751-a5b0-6c62e309ba36	1	01a20612-348c-7f1d-a046-bf25ad9f3d62	FAILED	whk_20261123_01	2026-11-23 01:43:06.882+00	0	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-376f-7752-91dc-4c62f5edb47e	1	01a20612-3499-784d-970a-d55bbcc291f2	FAILED	whk_20261123_01	2026-11-23 01:43:06.882+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-376f-7752-91dc-4c62f5edb47e	2	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.239+00	2	204	\N		127.0.0.1:41997	f	1	whc_352Jekfy7aFhc3yxGM8ck	d6c903a1-c464-44c3-aa11-2da04f110360	26
01a20612-37b9-7c19-a94d-302451efe14a	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.933+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-37b9-7c1b-9f79-83594aeaaa23	1	01a20612-34ab-7327-9b0a-061536d9ac0b	FAILED	whk_20261123_01	2026-11-23 01:43:06.933+00	5	503	\N	\N	127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-37b9-7c46-874d-c0a29a5d5203	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:06.933+00	5	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-37b9-7c47-9862-cb7655bc01d5	1	01a20612-3499-784d-970a-d55bbcc291f2	FAILED	whk_20261123_01	2026-11-23 01:43:06.933+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-37b9-7c47-9862-cb7655bc01d5	2	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.239+00	3	204	\N		127.0.0.1:41997	f	1	whc_352Jekfy7aFhc3yxGM8ck	d6c903a1-c464-44c3-aa11-2da04f110360	26
01a20612-37d0-707a-bcf3-48a450d4f6fd	1	01a20612-34b1-7af4-9a17-e53d1b093fa3	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:07.017+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-37d0-70b5-beb3-5fdca22bdbc6	1	01a20612-34b1-7af4-9a17-e53d1b093fa3	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:07.017+00	0	204	\N		127.0.0.1:41997	f	0	send/352JekmCxNQZKZvFzPn4q	01a20612-34dc-7f06-a3cc-f1775215fd49	
01a20612-43dc-792f-9bae-f0b716f47b9d	1	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.199+00	2	204	\N		127.0.0.1:41997	f	1	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-43e1-7e0a-8002-9d8b051f9850	1	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.199+00	4	204	\N		127.0.0.1:41997	f	1	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-43e8-7bb5-8e67-2ca8ebdc83f8	1	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.199+00	4	204	\N		127.0.0.1:41997	f	1	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-43ee-7a0b-99f9-0c9b25d26527	1	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.199+00	5	204	\N		127.0.0.1:41997	f	1	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-43f3-796e-bf76-2ef89703ec20	1	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.199+00	1	204	\N		127.0.0.1:41997	f	1	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-43fb-744d-b61d-91f3c9ea96b4	1	01a20612-348c-7f1d-a046-bf25ad9f3d62	FAILED	whk_20261123_01	2026-11-23 01:43:10.09+00	0	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-4401-7390-8c7e-b8feb9038d32	1	01a20612-348c-7f1d-a046-bf25ad9f3d62	FAILED	whk_20261123_01	2026-11-23 01:43:10.09+00	0	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-4405-797d-b521-42aced5c1695	1	01a20612-348c-7f1d-a046-bf25ad9f3d62	FAILED	whk_20261123_01	2026-11-23 01:43:10.09+00	0	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-440d-7627-8fa3-937e86303935	1	01a20612-348c-7f1d-a046-bf25ad9f3d62	FAILED	whk_20261123_01	2026-11-23 01:43:10.11+00	0	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-4410-79c6-9e00-fa41446e0671	1	01a20612-348c-7f1d-a046-bf25ad9f3d62	FAILED	whk_20261123_01	2026-11-23 01:43:10.11+00	0	503	\N	down for maintenance\n	127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-4421-7ac4-8191-9383bd458b79	1	01a20612-34b1-7af4-9a17-e53d1b093fa3	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.132+00	0	204	\N		127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-4488-72e7-85af-fbcd993047ec	1	01a20612-34b1-7af4-9a17-e53d1b093fa3	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.335+00	0	204	\N		127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-44bf-7680-b672-cac5679f1ea3	1	01a20612-3499-784d-970a-d55bbcc291f2	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.368+00	0	204	\N		127.0.0.1:41997	f	1	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-45c4-70ea-903d-d420c215351a	1	01a20612-34b1-7af4-9a17-e53d1b093fa3	SUCCEEDED	whk_20261123_01	2026-11-23 01:43:10.559+00	0	204	\N		127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
01a20612-4673-799d-9883-ab364c3c5cdb	1	01a20612-347a-7526-8022-c5572301f647	SUCCEEDED	whk_20261123_02	2026-11-23 01:43:10.761+00	0	204	\N		127.0.0.1:41997	f	0	send/352JeqsETjZiY18cfjmI2	01a20612-4400-780f-ab27-05693985254a	
\.

COPY webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, replay, state, attempt_count, round_attempts, next_attempt_at, asked_at, last_error, created_at, updated_at) FROM stdin;
01a20612-34c2-77f3-afe2-6add6bd17396	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-34c2-780f-be80-b2c670ac6fa0	01a20612-34b1-7af4-9a17-e53d1b093fa3	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.17+00	2026-11-23 01:43:06.323+00
01a20612-3558-7684-a017-d6331f6ee10c	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3558-7679-8873-82e60aa4b556	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.324+00	2026-11-23 01:43:06.457+00
01a20612-3558-7688-b7bb-e0835f4b11a7	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3558-7679-8873-82e60aa4b556	01a20612-34ab-7327-9b0a-061536d9ac0b	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 01:43:06.324+00	2026-11-23 01:43:10.437+00
01a20612-3558-76b6-a68a-65a9c1e3c438	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3558-76b4-9706-31f3ac922f9e	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.324+00	2026-11-23 01:43:06.457+00
01a20612-3558-76b8-96b9-756db82cdf42	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3558-76b4-9706-31f3ac922f9e	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 01:43:06.324+00	2026-11-23 01:43:10.318+00
01a20612-358e-78e4-b1f1-6526da4a6b2d	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-358e-78dc-9452-3cb13335c064	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.375+00	2026-11-23 01:43:06.457+00
01a20612-35c6-7213-8d11-0992ea0285a9	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-35c6-7211-b0b1-6e82dba679fb	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.433+00	2026-11-23 01:43:06.489+00
01a20612-3611-7b60-b670-34657a545f0c	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3611-7b5b-8b9b-d05ef0ec521a	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.509+00	2026-11-23 01:43:06.655+00
01a20612-3628-770b-a8f4-a52db5692bc1	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3628-7707-a7de-f9d7bfdd78e0	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.522+00	2026-11-23 01:43:06.632+00
01a20612-3632-74ab-97f1-8e9593ebb7f3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3632-74a8-967e-a3ac1545975b	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.542+00	2026-11-23 01:43:06.655+00
01a20612-3641-7a66-bf2d-95c43f4d46f8	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3641-7a62-8437-90e0529ecb97	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.551+00	2026-11-23 01:43:06.655+00
01a20612-36a9-76fa-bd3b-225934974ca8	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-36a9-76f6-b256-37209e6b6a04	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.663+00	2026-11-23 01:43:06.686+00
01a20612-36e1-766b-a133-2c1a663146e7	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-36e1-7665-8440-83f88217436f	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.715+00	2026-11-23 01:43:06.789+00
01a20612-36f7-72ed-8b66-fcd96e86177f	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-36f7-72e8-9565-a9a77b221af3	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.741+00	2026-11-23 01:43:06.793+00
01a20612-36f7-72ee-8b66-bc77d6e7f76f	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-36f7-72e8-9565-a9a77b221af3	01a20612-34ab-7327-9b0a-061536d9ac0b	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 01:43:06.741+00	2026-11-23 01:43:10.437+00
01a20612-3706-7801-ae35-c99e498552ee	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3706-77fb-94ae-88fcd6135b73	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.755+00	2026-11-23 01:43:06.793+00
01a20612-3706-7805-abf4-af8cd255ff4b	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3706-77fb-94ae-88fcd6135b73	01a20612-34ab-7327-9b0a-061536d9ac0b	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 01:43:06.755+00	2026-11-23 01:43:10.437+00
01a20612-3706-7834-8c47-cd746402b0d7	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3706-7832-8a94-deb48d5e6e90	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.755+00	2026-11-23 01:43:06.793+00
01a20612-3706-7835-acb1-1bf95b0b2277	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3706-7832-8a94-deb48d5e6e90	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 01:43:06.755+00	2026-11-23 01:43:10.328+00
01a20612-370c-75ce-bd9f-d56a528797c4	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-370c-75cb-b113-cd9fdf4049f1	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.762+00	2026-11-23 01:43:06.793+00
01a20612-370c-75cf-8435-c893d4f83e47	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-370c-75cb-b113-cd9fdf4049f1	01a20612-34ab-7327-9b0a-061536d9ac0b	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 01:43:06.762+00	2026-11-23 01:43:10.437+00
01a20612-370c-75fc-a253-e86ee79ee6fd	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-370c-75f8-a83a-a9c11278aa05	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.762+00	2026-11-23 01:43:06.807+00
01a20612-370c-75fd-aa72-f5a45260d4b7	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-370c-75f8-a83a-a9c11278aa05	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 01:43:06.762+00	2026-11-23 01:43:10.328+00
01a20612-3722-7289-b5ea-2db8fe6ec6df	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3722-7286-97ea-b0e5a85e54ce	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.784+00	2026-11-23 01:43:06.843+00
01a20612-3752-7daa-a62b-1072dfa4a5f9	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3752-7da7-b1db-0474c66016db	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.831+00	2026-11-23 01:43:06.864+00
01a20612-376f-774e-9fdc-2e6926b3d155	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-376f-7749-97b1-e27df867a425	01a20612-347a-7526-8022-c5572301f647	f	t	DELIVERED	2	1	\N	\N	\N	2026-11-23 01:43:06.86+00	2026-11-23 01:43:11.085+00
01a20612-376f-7751-a5b0-6c62e309ba36	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-376f-7749-97b1-e27df867a425	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	RETRYING	1	1	2026-11-23 01:43:21.888+00	\N	HTTP 503	2026-11-23 01:43:06.86+00	2026-11-23 01:43:06.888+00
01a20612-376f-7752-91dc-4c62f5edb47e	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-376f-7749-97b1-e27df867a425	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 01:43:06.86+00	2026-11-23 01:43:10.328+00
01a20612-376f-7753-ba14-b7bc7bb594b3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-376f-7749-97b1-e27df867a425	01a20612-34b7-708f-a4ea-189b2c1ca61e	f	f	HELD	0	0	\N	\N	\N	2026-11-23 01:43:06.86+00	2026-11-23 01:43:06.865+00
01a20612-37b9-7c19-a94d-302451efe14a	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-37b9-7c13-8000-a4ce20f42136	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.931+00	2026-11-23 01:43:06.952+00
01a20612-37b9-7c1b-9f79-83594aeaaa23	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-37b9-7c13-8000-a4ce20f42136	01a20612-34ab-7327-9b0a-061536d9ac0b	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-23 01:43:06.931+00	2026-11-23 01:43:10.437+00
01a20612-37b9-7c46-874d-c0a29a5d5203	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-37b9-7c44-95a9-6f5754c7bc0a	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.931+00	2026-11-23 01:43:06.959+00
01a20612-37b9-7c47-9862-cb7655bc01d5	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-37b9-7c44-95a9-6f5754c7bc0a	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-23 01:43:06.931+00	2026-11-23 01:43:10.328+00
01a20612-37d0-707a-bcf3-48a450d4f6fd	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-37d0-7095-9c27-bb1c4cabac3a	01a20612-34b1-7af4-9a17-e53d1b093fa3	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.959+00	2026-11-23 01:43:07.032+00
01a20612-37d0-70b5-beb3-5fdca22bdbc6	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-37d0-70d0-8fe7-12f92dfc71d2	01a20612-34b1-7af4-9a17-e53d1b093fa3	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:06.959+00	2026-11-23 01:43:07.034+00
01a20612-43dc-792f-9bae-f0b716f47b9d	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-43dc-792c-8727-c097a2fed004	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.042+00	2026-11-23 01:43:10.233+00
01a20612-43e1-7e0a-8002-9d8b051f9850	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-43e1-7e07-b34d-62fd87a52ec3	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.049+00	2026-11-23 01:43:10.233+00
01a20612-43e8-7bb5-8e67-2ca8ebdc83f8	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-43e8-7bb2-a7cc-abe4865edb71	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.055+00	2026-11-23 01:43:10.233+00
01a20612-43ee-7a0b-99f9-0c9b25d26527	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-43ee-7a06-a68f-df4cf3e89cfb	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.061+00	2026-11-23 01:43:10.233+00
01a20612-43f3-796e-bf76-2ef89703ec20	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-43f3-796b-95f5-c8bac0345a15	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.067+00	2026-11-23 01:43:10.211+00
01a20612-43fb-744d-b61d-91f3c9ea96b4	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-43fb-7449-8938-f326a8cd0d73	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	RETRYING	1	1	2026-11-23 01:43:25.102+00	\N	HTTP 503	2026-11-23 01:43:10.075+00	2026-11-23 01:43:10.102+00
01a20612-4401-7390-8c7e-b8feb9038d32	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4401-738d-a7c4-9e560cebb6af	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	RETRYING	1	1	2026-11-23 01:43:25.102+00	\N	HTTP 503	2026-11-23 01:43:10.079+00	2026-11-23 01:43:10.102+00
01a20612-4405-797d-b521-42aced5c1695	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4405-797a-a583-c166d6b60704	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	RETRYING	1	1	2026-11-23 01:43:25.098+00	\N	HTTP 503	2026-11-23 01:43:10.085+00	2026-11-23 01:43:10.098+00
01a20612-440d-7627-8fa3-937e86303935	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-440d-7624-a421-ffa7253a0c88	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	RETRYING	1	1	2026-11-23 01:43:25.113+00	\N	HTTP 503	2026-11-23 01:43:10.093+00	2026-11-23 01:43:10.113+00
01a20612-4410-79c6-9e00-fa41446e0671	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4410-79c4-8bcb-7359038a1f7b	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	RETRYING	1	0	2026-11-23 01:43:11.155+00	2026-11-23 01:43:11.155+00	HTTP 503	2026-11-23 01:43:10.096+00	2026-11-23 01:43:11.155+00
01a20612-4421-7ac4-8191-9383bd458b79	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4421-7adf-929b-92d8da50f09e	01a20612-34b1-7af4-9a17-e53d1b093fa3	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.113+00	2026-11-23 01:43:10.135+00
01a20612-4488-72e7-85af-fbcd993047ec	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4488-72fe-b603-e8bd9036956e	01a20612-34b1-7af4-9a17-e53d1b093fa3	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.211+00	2026-11-23 01:43:10.357+00
01a20612-44bf-7680-b672-cac5679f1ea3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-44bf-767c-80eb-934edf873da4	01a20612-3499-784d-970a-d55bbcc291f2	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.271+00	2026-11-23 01:43:10.371+00
01a20612-4590-7051-a823-5c4db5d41e20	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4590-704e-a694-71682775a5be	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	FAILED	0	0	\N	\N	given up with webhook.delivery.cancel	2026-11-23 01:43:10.478+00	2026-11-23 01:43:10.531+00
01a20612-45c4-70ea-903d-d420c215351a	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-45c4-7106-b3c5-0104102696c4	01a20612-34b1-7af4-9a17-e53d1b093fa3	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.519+00	2026-11-23 01:43:10.579+00
01a20612-4673-799d-9883-ab364c3c5cdb	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4673-7998-838f-39db17713d39	01a20612-347a-7526-8022-c5572301f647	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-23 01:43:10.697+00	2026-11-23 01:43:10.779+00
01a20612-483e-7d18-a965-b1de662b5510	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-483e-7d12-8095-62b9b5d42fa7	01a20612-347a-7526-8022-c5572301f647	f	f	PENDING	0	0	2026-11-23 01:43:11.168+00	\N	\N	2026-11-23 01:43:11.161+00	2026-11-23 01:43:11.168+00
01a20612-483e-7d59-a273-0837170088f2	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-483e-7d57-9500-c2c1f0983189	01a20612-347a-7526-8022-c5572301f647	f	f	PENDING	0	0	2026-11-23 01:43:11.169+00	\N	\N	2026-11-23 01:43:11.161+00	2026-11-23 01:43:11.169+00
01a20612-483e-7d5a-b929-e2f30b968499	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-483e-7d57-9500-c2c1f0983189	01a20612-3499-784d-970a-d55bbcc291f2	f	f	PENDING	0	0	2026-11-23 01:43:11.169+00	\N	\N	2026-11-23 01:43:11.161+00	2026-11-23 01:43:11.169+00
01a20612-4847-7130-bc4b-e4871e1e4b28	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4847-712b-afb6-3802df55caba	01a20612-347a-7526-8022-c5572301f647	f	f	PENDING	0	0	2026-11-23 01:43:11.175+00	\N	\N	2026-11-23 01:43:11.171+00	2026-11-23 01:43:11.175+00
01a20612-4847-7131-9562-f60680e2b7d4	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4847-712b-afb6-3802df55caba	01a20612-348c-7f1d-a046-bf25ad9f3d62	f	f	PENDING	0	0	2026-11-23 01:43:11.175+00	\N	\N	2026-11-23 01:43:11.171+00	2026-11-23 01:43:11.175+00
01a20612-4847-7132-bbdd-73405c910b88	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4847-712b-afb6-3802df55caba	01a20612-3499-784d-970a-d55bbcc291f2	f	f	PENDING	0	0	2026-11-23 01:43:11.176+00	\N	\N	2026-11-23 01:43:11.171+00	2026-11-23 01:43:11.176+00
01a20612-4847-7133-9607-e3180b9de206	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-4847-712b-afb6-3802df55caba	01a20612-34b7-708f-a4ea-189b2c1ca61e	f	f	HELD	0	0	\N	\N	\N	2026-11-23 01:43:11.171+00	2026-11-23 01:43:11.176+00
\.

COPY webhook_endpoint (id, account_id, url, url_key, event_types, description, rate_per_second, concurrency, status, disabled_reason, place, created_at, updated_at, deleted_at) FROM stdin;
01a20612-347a-7526-8022-c5572301f647	01a20612-2fc4-7c39-b67d-7692fb9e23e9	http://127.0.0.1:41997/well	http://127.0.0.1:41997/well	\N	all events	500	5	ACTIVE	\N	1	2026-11-23 01:43:06.1+00	2026-11-23 01:43:06.1+00	\N
01a20612-348c-7f1d-a046-bf25ad9f3d62	01a20612-2fc4-7c39-b67d-7692fb9e23e9	http://127.0.0.1:41997/broken	http://127.0.0.1:41997/broken	{WORKFLOW_COMPLETED}	\N	\N	\N	ACTIVE	\N	2	2026-11-23 01:43:06.121+00	2026-11-23 01:43:06.121+00	\N
01a20612-3499-784d-970a-d55bbcc291f2	01a20612-2fc4-7c39-b67d-7692fb9e23e9	http://127.0.0.1:41997/recovered	http://127.0.0.1:41997/recovered	{WORKFLOW_COMPLETED,WORKFLOW_STARTED}	\N	\N	\N	ACTIVE	\N	3	2026-11-23 01:43:06.132+00	2026-11-23 01:43:06.132+00	\N
01a20612-34ab-7327-9b0a-061536d9ac0b	01a20612-2fc4-7c39-b67d-7692fb9e23e9	http://127.0.0.1:41997/given-up	http://127.0.0.1:41997/given-up	{WORKFLOW_CREATED}	\N	\N	\N	ACTIVE	\N	\N	2026-11-23 01:43:06.146+00	2026-11-23 01:43:10.409+00	2026-11-23 01:43:10.409+00
01a20612-34b1-7af4-9a17-e53d1b093fa3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	http://127.0.0.1:41997/notices	http://127.0.0.1:41997/notices	{WEBHOOK_ENDPOINT_FAILING,WEBHOOK_ENDPOINT_DISABLED,WEBHOOK_ENDPOINT_RECOVERED,WEBHOOK_DELIVERY_FAILED}	\N	\N	\N	ACTIVE	\N	5	2026-11-23 01:43:06.16+00	2026-11-23 01:43:06.16+00	\N
01a20612-34b7-708f-a4ea-189b2c1ca61e	01a20612-2fc4-7c39-b67d-7692fb9e23e9	http://127.0.0.1:41997/disabled	http://127.0.0.1:41997/disabled	{WORKFLOW_COMPLETED}	\N	\N	\N	DISABLED	Disabled with webhook.config.update.	6	2026-11-23 01:43:06.165+00	2026-11-23 01:43:06.17+00	\N
\.

COPY webhook_endpoint_health (endpoint_id, failures, failing_since, last_error, probe_at, probes, retry_after, recovered_at, epoch, successes_from, slow, told, told_since, opens_at, looks_at, wake_at, wake_lease) FROM stdin;
01a20612-347a-7526-8022-c5572301f647	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	2026-11-23 01:43:10.938536+00	\N	\N	\N
01a20612-348c-7f1d-a046-bf25ad9f3d62	6	2026-11-23 01:43:06.882+00	HTTP 503	2026-11-23 01:43:14.698053+00	0	2026-11-23 01:43:25.116+00	\N	0	0	f	WEBHOOK_ENDPOINT_FAILING	2026-11-23 01:43:06.882+00	\N	2026-11-23 01:43:21.888+00	2026-11-22 01:43:11.155+00	\N
01a20612-3499-784d-970a-d55bbcc291f2	0	\N	\N	\N	0	\N	2026-11-23 01:43:10.147+00	1	0	f	\N	\N	\N	\N	\N	\N
01a20612-34ab-7327-9b0a-061536d9ac0b	5	2026-11-23 01:43:06.401+00	HTTP 503	2026-11-23 01:43:11.229152+00	0	2026-11-23 01:43:21.959+00	\N	1	1	f	WEBHOOK_ENDPOINT_FAILING	2026-11-23 01:43:06.401+00	\N	2026-11-23 01:43:21.457+00	\N	\N
01a20612-34b1-7af4-9a17-e53d1b093fa3	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	\N	\N	\N	\N
01a20612-34b7-708f-a4ea-189b2c1ca61e	0	\N	\N	\N	0	\N	\N	1	1	f	WEBHOOK_ENDPOINT_DISABLED	2026-11-23 01:43:06.17+00	\N	\N	\N	\N
\.

COPY webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields, test, epoch, xid, traceparent) FROM stdin;
01a20612-3416-7b63-a491-6bbcad90692c	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_KEY_ACTIVATED	2026-11-23 01:43:05.997+00	\N	0	back office	API_KEY	{"key_id": "whk_20261123_01"}	f	1	752	00-0083fafaa41eeb7d7c83a89f846b646b-2ef75ac4666b04ef-00
01a20612-34c2-780f-be80-b2c670ac6fa0	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_ENDPOINT_DISABLED	2026-11-23 01:43:06.17+00	\N	0	back office	API_KEY	{"since": "2026-11-23T01:43:06.170Z", "waiting": 0, "url_host": "127.0.0.1:41997", "config_id": "whc_352JekitFepkSWQlPX5SQ", "last_error": null, "disabled_reason": "Disabled with webhook.config.update."}	f	1	767	00-df79f52bd0c54f52237eae7f5863940a-3efc2184a0596b7e-00
01a20612-3558-7679-8873-82e60aa4b556	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_CREATED	2026-11-23 01:43:06.324+00	01a20612-3557-7563-85c1-7b7eb0301ef3	1	back office	API_KEY	{"state": "CREATED"}	f	1	783	00-d8243ceba6b48fc76c71ba69a4b8328d-b6f46b95578aa987-00
01a20612-3558-76b4-9706-31f3ac922f9e	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_STARTED	2026-11-23 01:43:06.324+00	01a20612-3557-7563-85c1-7b7eb0301ef3	2	back office	API_KEY	{"state": "STARTED"}	f	1	783	00-d8243ceba6b48fc76c71ba69a4b8328d-b6f46b95578aa987-00
01a20612-358e-78dc-9452-3cb13335c064	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_PRICING_CALCULATED	2026-11-23 01:43:06.375+00	01a20612-3557-7563-85c1-7b7eb0301ef3	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	787	00-e06a3ecab20913bc7b9d6ef506a18598-07515ad5272a5231-00
01a20612-35c6-7211-b0b1-6e82dba679fb	01a20612-2fc4-7c39-b67d-7692fb9e23e9	REQUIRED_DOCUMENTS_CALCULATED	2026-11-23 01:43:06.433+00	01a20612-3557-7563-85c1-7b7eb0301ef3	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Jel9DP10CIJ5zzMSyM"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Jel9DP9tkthZiT7Ryr"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Jel9DPDntQrPvwUlYh"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Jel9DPHKLJvtJQelN0"}, {"status": "PENDING", "entity_id": "w_352JekyUMtCe1i22oqmMV", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Jel9DPJQ7mfYN9Fz6S"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Jel9DPQYjFl3iaIXBK"}, {"status": "PENDING", "entity_id": "p_352JekvAl3l6Xn1F77D9X", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPT1BdIV29bF0d"}, {"status": "PENDING", "entity_id": "p_352JekvAl7h6t7SyuWhkW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPVWvPgUfQ1tC8"}], "removed": [], "restored": []}	f	1	792	00-62ef134e98604d88d7c7f5fda109b23c-774d935358b1794f-00
01a20612-3611-7b5b-8b9b-d05ef0ec521a	01a20612-2fc4-7c39-b67d-7692fb9e23e9	REQUIRED_DOCUMENT_UPDATED	2026-11-23 01:43:06.509+00	01a20612-3557-7563-85c1-7b7eb0301ef3	5	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Jel9DP10CIJ5zzMSyM"}	f	1	805	00-67b883f38c41e63eccedd154fb0f5200-48eccdc98f8b9e78-00
01a20612-3628-7707-a7de-f9d7bfdd78e0	01a20612-2fc4-7c39-b67d-7692fb9e23e9	REQUIRED_DOCUMENT_UPDATED	2026-11-23 01:43:06.522+00	01a20612-3557-7563-85c1-7b7eb0301ef3	6	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Jel9DP9tkthZiT7Ryr"}	f	1	809	00-0a10000bd6b7ce1bfa3ad066c4540217-71dd6b16002d2d84-00
01a20612-3632-74a8-967e-a3ac1545975b	01a20612-2fc4-7c39-b67d-7692fb9e23e9	REQUIRED_DOCUMENT_UPDATED	2026-11-23 01:43:06.542+00	01a20612-3557-7563-85c1-7b7eb0301ef3	7	back office	API_KEY	{"status": "COMPLETED", "previous_status": "NEEDS_REVIEW", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Jel9DP9tkthZiT7Ryr"}	f	1	812	00-8169c8a40ecf15ccdd54476af5fa4505-6d5bcb467debadeb-00
01a20612-3641-7a62-8437-90e0529ecb97	01a20612-2fc4-7c39-b67d-7692fb9e23e9	REQUIRED_DOCUMENT_UPDATED	2026-11-23 01:43:06.551+00	01a20612-3557-7563-85c1-7b7eb0301ef3	8	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPVWvPgUfQ1tC8"}	f	1	815	00-a93211ea3693575a98fef1623ff92306-44244300bfc309ea-00
01a20612-36a9-76f6-b256-37209e6b6a04	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_PRICING_CALCULATED	2026-11-23 01:43:06.663+00	01a20612-3557-7563-85c1-7b7eb0301ef3	9	back office	API_KEY	{"evaluation_score": 600.375}	f	1	827	00-e73ebddd2232858b9ea747c3eb348af1-585240c700b165a6-00
01a20612-36e1-7665-8440-83f88217436f	01a20612-2fc4-7c39-b67d-7692fb9e23e9	REQUIRED_DOCUMENTS_CALCULATED	2026-11-23 01:43:06.715+00	01a20612-3557-7563-85c1-7b7eb0301ef3	10	back office	API_KEY	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352Jel9DP10CIJ5zzMSyM"}, {"status": "COMPLETED", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352Jel9DP9tkthZiT7Ryr"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352Jel9DPDntQrPvwUlYh"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352Jel9DPHKLJvtJQelN0"}, {"status": "PENDING", "entity_id": "w_352JekyUMtCe1i22oqmMV", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352Jel9DPJQ7mfYN9Fz6S"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352Jel9DPQYjFl3iaIXBK"}, {"status": "PENDING", "entity_id": "p_352JekvAl3l6Xn1F77D9X", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPT1BdIV29bF0d"}], "added": [], "removed": [{"status": "INACTIVE", "entity_id": "p_352JekvAl7h6t7SyuWhkW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jel9DPVWvPgUfQ1tC8"}], "restored": []}	f	1	834	00-38b58c8817ebad47d8637dcdabdbe64b-473cfbb34a4a6042-00
01a20612-36f7-72e8-9565-a9a77b221af3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_CREATED	2026-11-23 01:43:06.741+00	01a20612-36f6-78cb-be52-3bbe7a1b94a3	1	back office	API_KEY	{"state": "CREATED"}	f	1	838	00-c75a20bf346403398b0ebfb090ec7def-ac08a86e3f3b2362-00
01a20612-3706-77fb-94ae-88fcd6135b73	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_CREATED	2026-11-23 01:43:06.755+00	01a20612-3706-705c-9948-8becfa573119	1	back office	API_KEY	{"state": "CREATED"}	f	1	841	00-fa13611a3a46ec483e14ace316225494-c3f6fd704a76a2f3-00
01a20612-3706-7832-8a94-deb48d5e6e90	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_STARTED	2026-11-23 01:43:06.755+00	01a20612-3706-705c-9948-8becfa573119	2	back office	API_KEY	{"state": "STARTED"}	f	1	841	00-fa13611a3a46ec483e14ace316225494-c3f6fd704a76a2f3-00
01a20612-370c-75cb-b113-cd9fdf4049f1	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_CREATED	2026-11-23 01:43:06.762+00	01a20612-370b-7e02-a463-48766d5b627a	1	back office	API_KEY	{"state": "CREATED"}	f	1	845	00-3eeb9d75b6741282de14fb71737fbaf2-d4442c478987828e-00
01a20612-370c-75f8-a83a-a9c11278aa05	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_STARTED	2026-11-23 01:43:06.762+00	01a20612-370b-7e02-a463-48766d5b627a	2	back office	API_KEY	{"state": "STARTED"}	f	1	845	00-3eeb9d75b6741282de14fb71737fbaf2-d4442c478987828e-00
01a20612-3722-7286-97ea-b0e5a85e54ce	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_PRICING_CALCULATED	2026-11-23 01:43:06.784+00	01a20612-370b-7e02-a463-48766d5b627a	3	back office	API_KEY	{"evaluation_score": 600.375}	f	1	848	00-095de2c0167c08fab3171e520de52010-94f9ff971f126d48-00
01a20612-3752-7da7-b1db-0474c66016db	01a20612-2fc4-7c39-b67d-7692fb9e23e9	REQUIRED_DOCUMENTS_CALCULATED	2026-11-23 01:43:06.831+00	01a20612-370b-7e02-a463-48766d5b627a	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_352JelluhEEMNUO4Olrab"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_352JelluhOoSNkPpFRzxL"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_352JelluhSidHsKZGR2tG"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_352JelluhWJcR3OMLbJxH"}, {"status": "PENDING", "entity_id": "w_352JelezebrdhQ3lNQGa2", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_352JelluhZ800IftkG1bu"}, {"status": "PENDING", "entity_id": "b_352Jekv53DRPfGqVH2n8Q", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_352JelluhfALvrcuYrCuC"}, {"status": "PENDING", "entity_id": "p_352JekvAl3l6Xn1F77D9X", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_352Jelluhhae8w2aCbaff"}], "removed": [], "restored": []}	f	1	860	00-cee59ce6625d3b7cba608f90c6efd6d8-e953abee3630148f-00
01a20612-376f-7749-97b1-e27df867a425	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_COMPLETED	2026-11-23 01:43:06.86+00	01a20612-370b-7e02-a463-48766d5b627a	5	back office	API_KEY	{"state": "ENDED"}	f	1	865	00-3af42ce9a967b6c8c299aaae85b2ec7d-ede3ed5745881bc6-00
01a20612-37b9-7c13-8000-a4ce20f42136	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_CREATED	2026-11-23 01:43:06.931+00	01a20612-37b9-73aa-9de8-8b5d4ae2cf1d	1	back office	API_KEY	{"state": "CREATED"}	f	1	882	00-43c17b25a83a8d545f6864e07272a90b-696741a2605ac84d-00
01a20612-37b9-7c44-95a9-6f5754c7bc0a	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_STARTED	2026-11-23 01:43:06.931+00	01a20612-37b9-73aa-9de8-8b5d4ae2cf1d	2	back office	API_KEY	{"state": "STARTED"}	f	1	882	00-43c17b25a83a8d545f6864e07272a90b-696741a2605ac84d-00
01a20612-37d0-7095-9c27-bb1c4cabac3a	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_ENDPOINT_FAILING	2026-11-23 01:43:06.959+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T01:43:06.401Z", "waiting": 5, "url_host": "127.0.0.1:41997", "config_id": "whc_352Jekfy7aFhc3yxGM8ck", "last_error": "the connection was closed before the whole answer had come"}	f	1	885	00-43c17b25a83a8d545f6864e07272a90b-696741a2605ac84d-00
01a20612-37d0-70d0-8fe7-12f92dfc71d2	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_ENDPOINT_FAILING	2026-11-23 01:43:06.959+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T01:43:06.401Z", "waiting": 5, "url_host": "127.0.0.1:41997", "config_id": "whc_352JekhimtKteNzPXc1lb", "last_error": "HTTP 503"}	f	1	885	00-43c17b25a83a8d545f6864e07272a90b-696741a2605ac84d-00
01a20612-43dc-792c-8727-c097a2fed004	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.042+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Jekfy7aFhc3yxGM8ck"}	t	1	898	00-27907fa788ebab665acec6c0a4e3ffee-ffe7fada583747d8-00
01a20612-43e1-7e07-b34d-62fd87a52ec3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.049+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Jekfy7aFhc3yxGM8ck"}	t	1	901	00-1f7db01d4a74d3e27cc8231116987041-804c97786981784e-00
01a20612-43e8-7bb2-a7cc-abe4865edb71	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.055+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Jekfy7aFhc3yxGM8ck"}	t	1	904	00-713badd1fc5a27a86511a565b67f44b4-0a9f6ce2dff5afd8-00
01a20612-43ee-7a06-a68f-df4cf3e89cfb	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.061+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Jekfy7aFhc3yxGM8ck"}	t	1	907	00-9d2931c9dfa57cc2081f3bdfe71f7e22-ea7ae852c3f76711-00
01a20612-43f3-796b-95f5-c8bac0345a15	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.067+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Jekfy7aFhc3yxGM8ck"}	t	1	910	00-8abf2281de05321dd85e093b7dc6460a-93ffb8e6f511de02-00
01a20612-43fb-7449-8938-f326a8cd0d73	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.075+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352JekehiHOhz6maUrIp8"}	t	1	914	00-f98b567873e73006bfa7c16705ead772-f17c1ba6a257d957-00
01a20612-4401-738d-a7c4-9e560cebb6af	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.079+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352JekehiHOhz6maUrIp8"}	t	1	917	00-62622f087db6d9d9ea2d225ff8a8a961-c0a71ebec0057bea-00
01a20612-4405-797a-a583-c166d6b60704	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.085+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352JekehiHOhz6maUrIp8"}	t	1	920	00-7af56ff7ddc879db89ed2e740033b74b-677474814539fd40-00
01a20612-440d-7624-a421-ffa7253a0c88	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.093+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352JekehiHOhz6maUrIp8"}	t	1	924	00-234b9badce5ac6947cc4eb9840aa7c57-5ab36e355bfe506f-00
01a20612-4410-79c4-8bcb-7359038a1f7b	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.096+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352JekehiHOhz6maUrIp8"}	t	1	927	00-28fb7a66d55cac7edb3bb1a92c1f344e-d88729d30b3e0075-00
01a20612-4421-7adf-929b-92d8da50f09e	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_ENDPOINT_FAILING	2026-11-23 01:43:10.113+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T01:43:06.882Z", "waiting": 6, "url_host": "127.0.0.1:41997", "config_id": "whc_352JekehiHOhz6maUrIp8", "last_error": "HTTP 503"}	f	1	935	00-234b9badce5ac6947cc4eb9840aa7c57-5ab36e355bfe506f-00
01a20612-4488-72fe-b603-e8bd9036956e	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_ENDPOINT_RECOVERED	2026-11-23 01:43:10.211+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-23T01:43:06.401Z", "waiting": 9, "url_host": "127.0.0.1:41997", "config_id": "whc_352Jekfy7aFhc3yxGM8ck", "last_error": null}	f	1	953	00-8abf2281de05321dd85e093b7dc6460a-93ffb8e6f511de02-00
01a20612-44bf-767c-80eb-934edf873da4	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.271+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352Jekfy7aFhc3yxGM8ck"}	t	1	959	00-9d0e3a55e9c10f32ff9390b40ca99723-81556924099c18c1-00
01a20612-4590-704e-a694-71682775a5be	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_TEST	2026-11-23 01:43:10.478+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_352JekehiHOhz6maUrIp8"}	t	1	980	00-c28693dbebca95edfc444d9d81e553eb-800478bea311872c-00
01a20612-45c4-7106-b3c5-0104102696c4	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_DELIVERY_FAILED	2026-11-23 01:43:10.519+00	\N	0	back office	API_KEY	{"event_id": "wh_352JerVK0l1MLbveJuDUM", "config_id": "whc_352JekehiHOhz6maUrIp8", "last_error": "given up with webhook.delivery.cancel", "delivery_id": "whd_352JerVK0m5QgjHavrAmm", "attempt_count": 0}	f	1	986	00-14b3df0d8833bad1228aef663eff7ce3-2f43345a3039a650-00
01a20612-4673-7998-838f-39db17713d39	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WEBHOOK_KEY_ACTIVATED	2026-11-23 01:43:10.697+00	\N	0	back office	API_KEY	{"key_id": "whk_20261123_02"}	f	1	996	00-caee8d4229bb1a6ab926b8eccf5b14ef-41cda1fa096fdb3f-00
01a20612-483e-7d12-8095-62b9b5d42fa7	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_CREATED	2026-11-23 01:43:11.161+00	01a20612-483d-7dd5-b1cd-2d1749cc9d39	1	back office	API_KEY	{"state": "CREATED"}	f	1	1031	00-e2583d2ad36ccd6ef875599968a05c99-b1286c6451dc3725-00
01a20612-483e-7d57-9500-c2c1f0983189	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_STARTED	2026-11-23 01:43:11.161+00	01a20612-483d-7dd5-b1cd-2d1749cc9d39	2	back office	API_KEY	{"state": "STARTED"}	f	1	1031	00-e2583d2ad36ccd6ef875599968a05c99-b1286c6451dc3725-00
01a20612-4847-712b-afb6-3802df55caba	01a20612-2fc4-7c39-b67d-7692fb9e23e9	WORKFLOW_COMPLETED	2026-11-23 01:43:11.171+00	01a20612-483d-7dd5-b1cd-2d1749cc9d39	3	back office	API_KEY	{"state": "ENDED"}	f	1	1034	00-3978cead41b36dc0837f4edb8037b250-960095e9c661c84e-00
\.

COPY webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, revealed_at, activated_at, deleted_at) FROM stdin;
01a20612-2fc4-7c39-b67d-7692fb9e23e9	whk_20261123_01	2026-11-23	1	DELETED	\\x01e7190047234ad3bd7aa2a44d8ec6b711d5042fc84a63adf3fb0b419b9079a8333fad3a73d6ad08aacbc1faae5330b6eb8ec27a2b234dbe081a822074fcd25bb70534fcc6e4772b0b01ca962e	2026-11-23 01:43:05.821+00	2026-11-23 01:43:05.94+00	2026-11-23 01:43:05.997+00	2026-11-23 01:43:10.697+00
01a20612-2fc4-7c39-b67d-7692fb9e23e9	whk_20261123_02	2026-11-23	2	ACTIVE	\\x01e7190047ba006a6342b663b8d762bcf128eaf90cb56aeb6c2d9e5485c50cbba500e2b54e2fb984e48d92d1c58e257a2effbb9ecd1565e70226350d0a323b1ce96a3659188194320d3c321f42	2026-11-23 01:43:10.576+00	2026-11-23 01:43:10.655+00	2026-11-23 01:43:10.697+00	\N
01a20612-2fc4-7c39-b67d-7692fb9e23e9	whk_20261123_03	2026-11-23	3	INACTIVE	\\x01e7190047e19c821e373527be0a3969a6a960dcfad3ed1481d9e265ceb47cfd6d734592379bcfd143448cccfb650ecb40b220ae3fb95e7b63c764126936d248f0e181266887d62f00fe52c80d	2026-11-23 01:43:10.797+00	2026-11-23 01:43:10.813+00	\N	\N
\.

COPY webhook_key_day (account_id, day, n) FROM stdin;
01a20612-2fc4-7c39-b67d-7692fb9e23e9	2026-11-23	3
\.

COPY webhook_ready (endpoint_id, account_id, closed, turn, paced_until) FROM stdin;
01a20612-347a-7526-8022-c5572301f647	01a20612-2fc4-7c39-b67d-7692fb9e23e9	f	-infinity	\N
01a20612-348c-7f1d-a046-bf25ad9f3d62	01a20612-2fc4-7c39-b67d-7692fb9e23e9	t	2026-11-23 01:43:10.11+00	\N
01a20612-3499-784d-970a-d55bbcc291f2	01a20612-2fc4-7c39-b67d-7692fb9e23e9	f	-infinity	\N
01a20612-34ab-7327-9b0a-061536d9ac0b	01a20612-2fc4-7c39-b67d-7692fb9e23e9	t	2026-11-23 01:43:06.933+00	\N
\.

COPY webhook_replay (id, account_id, endpoint_id, since, until, event_types, state, looked_at, counted, done, total, traceparent, started_at, ended_at, lease) FROM stdin;
01a20612-46e6-70b1-827a-ea980b9b9f64	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-347a-7526-8022-c5572301f647	2026-01-01 00:00:00+00	2026-11-23 01:43:10.82+00	{WORKFLOW_COMPLETED}	COMPLETED	01a20612-4673-7998-838f-39db17713d39	t	1	1	00-0be4dcfb630773d915a09ea7778e0283-552e59317b7c667b-00	2026-11-23 01:43:10.819+00	2026-11-23 01:43:10.942+00	2026-11-23 01:48:10.942+00
\.

COPY workflow (id, account_id, business_id, state, evaluation_score, score_calculated_at, score_facts, version, documents_calculated_at, documents_workflow_version, documents_business_version, documents_rule_set_id, event_sequence, created_at, started_at, ended_at, updated_at) FROM stdin;
01a20612-3557-7563-85c1-7b7eb0301ef3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3534-7e79-a95a-b54cf8dfd8ee	STARTED	600.375000	2026-11-23 01:43:06.663+00	3d055cfb6855d42195ce1506332ac80032c439fb9265cf551c5fb8430ce01b2b	3	2026-11-23 01:43:06.715+00	3	2	01a20612-34fb-7375-9f71-324a9bd95052	10	2026-11-23 01:43:06.324+00	2026-11-23 01:43:06.324+00	\N	2026-11-23 01:43:06.663+00
01a20612-36f6-78cb-be52-3bbe7a1b94a3	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3534-7e79-a95a-b54cf8dfd8ee	CREATED	\N	\N	\N	1	\N	\N	\N	\N	1	2026-11-23 01:43:06.741+00	\N	\N	2026-11-23 01:43:06.741+00
01a20612-3706-705c-9948-8becfa573119	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3548-74b1-a42a-08ee1ceeb1d5	STARTED	\N	\N	\N	1	\N	\N	\N	\N	2	2026-11-23 01:43:06.755+00	2026-11-23 01:43:06.755+00	\N	2026-11-23 01:43:06.755+00
01a20612-370b-7e02-a463-48766d5b627a	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-3534-7e79-a95a-b54cf8dfd8ee	ENDED	600.375000	2026-11-23 01:43:06.784+00	3d055cfb6855d42195ce1506332ac80032c439fb9265cf551c5fb8430ce01b2b	2	2026-11-23 01:43:06.831+00	2	2	01a20612-34fb-7375-9f71-324a9bd95052	5	2026-11-23 01:43:06.762+00	2026-11-23 01:43:06.762+00	2026-11-23 01:43:06.86+00	2026-11-23 01:43:06.86+00
01a20612-37b9-73aa-9de8-8b5d4ae2cf1d	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-37ab-7ac6-8c5e-2a39896515c5	STARTED	\N	\N	\N	2	\N	\N	\N	\N	2	2026-11-23 01:43:06.931+00	2026-11-23 01:43:06.931+00	\N	2026-11-23 01:43:06.931+00
01a20612-483d-7dd5-b1cd-2d1749cc9d39	01a20612-2fc4-7c39-b67d-7692fb9e23e9	01a20612-354d-7778-a40e-bd19d93ef42a	ENDED	\N	\N	\N	1	\N	\N	\N	\N	3	2026-11-23 01:43:11.161+00	2026-11-23 01:43:11.161+00	2026-11-23 01:43:11.171+00	2026-11-23 01:43:11.171+00
\.

